package lottery;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.time.Duration;
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

    /** The longest time for which this process misses a ban, or the end of a ban, if its event arrives late. */
    private static final Duration AGE_MAX = Duration.ofSeconds(5);

    /**
     * The age of the bans after which a check of a user makes a background thread look for changes. The check does not
     * wait for this thread.
     */
    private static final Duration AGE_USUAL = Duration.ofSeconds(2);

    private final HistoryReader history;
    private final InstantSource clock;

    /** The cache has one entry, which holds all bans. */
    private final LoadingCache<String, Known> kept = Caffeine.newBuilder()
            .expireAfterWrite(AGE_MAX)
            .refreshAfterWrite(AGE_USUAL)
            .executor(Thread::startVirtualThread)
            .build(this::read);

    /**
     * The bans that were read last. If the number of ban events in the log is still the same, they are current and are
     * not read again.
     */
    private volatile @Nullable Known latest;

    /**
     * All bans at one moment.
     *
     * @param events the number of ban events in the log at that moment
     * @param asOf a time before the read began; the end of the read would be too late, because a read takes time and a
     *     process may be suspended
     */
    private record Known(Map<UserId, UserBanned> bans, long events, Instant asOf) {}

    BannedUsers(HistoryReader history, InstantSource clock) {
        this.history = history;
        this.clock = clock;
    }

    /** @throws RefusedException if the user is banned now */
    void requireNotBanned(UserId user) {
        Instant now = clock.instant();
        UserBanned ban = known(now).bans().get(user);
        if (ban != null && ban.holdsAt(now)) {
            throw new RefusedException(
                    Refusal.USER_BANNED, ban.until() == null ? user.value() : user + " (until " + ban.until() + ")");
        }
    }

    /** Returns the bans that hold now. */
    public Stream<UserBanned> all() {
        Instant now = clock.instant();
        return known(now).bans().values().stream().filter(ban -> ban.holdsAt(now));
    }

    private Known known(Instant now) {
        Known known = kept.get(BanId.PREFIX);
        if (known.asOf().isBefore(now.minus(AGE_MAX))) {
            kept.asMap().remove(BanId.PREFIX, known);
            known = kept.get(BanId.PREFIX);
        }
        return known;
    }

    private Known read(String prefix) {
        Instant now = clock.instant();
        Known before = latest;
        Known found = before != null && history.countOfEach(prefix) == before.events()
                ? new Known(before.bans(), before.events(), now)
                : readAll(prefix, now);
        latest = found;
        return found;
    }

    private Known readAll(String prefix, Instant now) {
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
        return new Known(bans, events, now);
    }

    /**
     * Makes the next check of a ban look for changes in the log. A process that has changed a ban calls this at once,
     * so that it does not have to wait for the event of the change.
     */
    public void forget() {
        kept.invalidateAll();
    }

    /** Makes the next check look for changes in the log, unless the bans were read after this time. */
    void forgetOlder(Instant time) {
        kept.asMap().computeIfPresent(BanId.PREFIX, (_, known) -> known.asOf().isBefore(time) ? null : known);
    }

    @EventHandler
    void on(BanEvent event) {
        forget();
    }
}
