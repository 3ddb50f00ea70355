package lottery;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.ban.BanEvent;
import lottery.api.ban.BanEvent.UserBanLifted;
import lottery.api.ban.BanEvent.UserBanned;
import lottery.api.ban.BanId;
import lottery.store.FollowedCache;
import lottery.store.log.HistoryReader;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps all bans in the memory of this process, so that a draw asks no database whether its user is banned. There are
 * few bans and many users, so nothing is kept for a user who was never banned. The class is thread-safe.
 */
@ProcessingGroup("caches")
public final class BannedUsers {

    private final HistoryReader history;
    private final InstantSource clock;

    /** The cache has one entry, which holds all bans. */
    private final FollowedCache<String, BansSnapshot> kept;

    /**
     * The bans that were read last. If the number of ban events in the log is still the same, they are current and are
     * not read again.
     */
    private volatile @Nullable BansSnapshot latest;

    /**
     * All bans at one moment.
     *
     * @param events the number of ban events in the log at that moment
     */
    private record BansSnapshot(Map<UserId, UserBanned> bans, long events) {}

    BannedUsers(HistoryReader history, InstantSource clock) {
        this.history = history;
        this.clock = clock;
        this.kept = new FollowedCache<>(1, clock, this::read);
    }

    /** @throws RefusedException if the user is banned now */
    void requireNotBanned(UserId user) {
        Instant now = clock.instant();
        UserBanned ban = known().bans().get(user);
        if (ban != null && ban.holdsAt(now)) {
            throw new RefusedException(
                    Refusal.USER_BANNED, ban.until() == null ? user.value() : user + " (until " + ban.until() + ")");
        }
    }

    /** Returns the bans that hold now. */
    public Stream<UserBanned> all() {
        Instant now = clock.instant();
        return known().bans().values().stream().filter(ban -> ban.holdsAt(now));
    }

    private BansSnapshot known() {
        return kept.find(BanId.PREFIX).orElseThrow();
    }

    private Optional<BansSnapshot> read(String prefix) {
        BansSnapshot before = latest;
        BansSnapshot found =
                before != null && history.countOfEach(prefix) == before.events() ? before : readAll(prefix);
        latest = found;
        return Optional.of(found);
    }

    private BansSnapshot readAll(String prefix) {
        List<TrackedEventMessage<?>> newest = history.newestOfEach(prefix);
        Map<UserId, UserBanned> bans = HashMap.newHashMap(newest.size());
        long events = 0;
        for (TrackedEventMessage<?> message : newest) {
            switch ((BanEvent) message.getPayload()) {
                case UserBanned banned -> bans.put(banned.userId(), banned);
                case UserBanLifted _ -> {}
            }
            events += ((DomainEventMessage<?>) message).getSequenceNumber() + 1;
        }
        return new BansSnapshot(bans, events);
    }

    /**
     * Makes the next check of a ban look for changes in the log. A process that has changed a ban calls this at once,
     * so that it does not have to wait for the event of the change.
     */
    public void forget() {
        kept.forget(BanId.PREFIX);
    }

    /** Makes the next check look for changes in the log, unless the bans were read after this time. */
    void forgetOlder(Instant time) {
        kept.forgetOlder(BanId.PREFIX, time);
    }

    @EventHandler
    void on(BanEvent event) {
        forget();
    }
}
