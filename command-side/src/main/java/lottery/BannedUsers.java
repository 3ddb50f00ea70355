package lottery;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.ban.BanEvent;
import lottery.api.ban.BanEvent.UserBanLifted;
import lottery.api.ban.BanEvent.UserBanned;
import lottery.api.ban.BanId;
import lottery.store.FollowedCache;
import lottery.store.axon.HistoryReader;
import lottery.store.axon.KindReader;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.TrackedEventMessage;

/**
 * Keeps all bans in the memory of this process, so that a draw asks no database whether its user is banned. There are
 * few bans and many users, so nothing is kept for a user who was never banned. The class is thread-safe.
 */
@ProcessingGroup("caches")
public final class BannedUsers {

    private final InstantSource clock;

    /** The cache has one entry, which holds all bans. */
    private final FollowedCache<String, Map<UserId, UserBanned>> bans;

    BannedUsers(HistoryReader history, InstantSource clock) {
        this.clock = clock;
        this.bans = new FollowedCache<>(1, clock, new KindReader<>(history, Map.of(), BannedUsers::changed));
    }

    /**
     * Requires that a user is not banned.
     *
     * @throws RefusedException if the user is banned
     */
    public void requireNotBanned(UserId user) {
        Instant now = clock.instant();
        UserBanned ban = known().get(user);
        if (ban != null && ban.holdsAt(now)) {
            throw new RefusedException(
                    Refusal.USER_BANNED, ban.until() == null ? user.value() : user + " (until " + ban.until() + ")");
        }
    }

    /** Returns the bans that hold now. */
    public Stream<UserBanned> all() {
        Instant now = clock.instant();
        return known().values().stream().filter(ban -> ban.holdsAt(now));
    }

    private Map<UserId, UserBanned> known() {
        return bans.find(BanId.PREFIX).orElseThrow();
    }

    private static Map<UserId, UserBanned> changed(Map<UserId, UserBanned> known, List<TrackedEventMessage<?>> newest) {
        Map<UserId, UserBanned> bans = HashMap.newHashMap(known.size() + newest.size());
        bans.putAll(known);
        for (TrackedEventMessage<?> message : newest) {
            switch ((BanEvent) message.getPayload()) {
                case UserBanned banned -> bans.put(banned.userId(), banned);
                case UserBanLifted lifted -> bans.remove(lifted.userId());
            }
        }
        return bans;
    }

    /**
     * Makes the next check of a ban look for changes in the log. A process that has changed a ban calls this at once,
     * so that it does not have to wait for the event of the change.
     */
    public void forget() {
        bans.forget(BanId.PREFIX);
    }

    /** Makes the next check look for changes in the log, unless the bans were read after this time. */
    void forgetOlder(Instant time) {
        bans.forgetOlder(BanId.PREFIX, time);
    }

    @EventHandler
    void on(BanEvent event) {
        forget();
    }
}
