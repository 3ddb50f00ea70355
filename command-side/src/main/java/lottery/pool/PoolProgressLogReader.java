package lottery.pool;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.Objects;
import lottery.activity.OpenPoolLookup;
import lottery.api.activity.ActivityId;
import lottery.api.pool.PoolEvent;
import lottery.api.pool.PoolId;
import lottery.store.axon.EventStreams;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Reads the progress of pools from the log. Everybody may ask for it, so it is cached for a moment. After that moment
 * only the events that are newer than the cached state are read, because a pool with many winners has many events.
 */
@Component
class PoolProgressLogReader implements OpenPoolLookup {

    private static final long KEPT_MAX = 1_000;
    private static final Duration AGE_MAX = Duration.ofSeconds(2);
    private static final Duration IDLE_MAX = Duration.ofMinutes(10);

    private final EventStore events;
    private final Ticker ticker = Ticker.systemTicker();
    private final Cache<ActivityId, CachedPool> kept = Caffeine.newBuilder()
            .maximumSize(KEPT_MAX)
            .expireAfterAccess(IDLE_MAX)
            .build();

    PoolProgressLogReader(EventStore events) {
        this.events = events;
    }

    /**
     * A pool as it was read.
     *
     * @param next the sequence number of its next event
     */
    private record CachedPool(PoolProgress pool, long next, long readNanos) {

        CachedPool after(DomainEventMessage<?> event) {
            return new CachedPool(
                    pool.evolve((PoolEvent) event.getPayload()), event.getSequenceNumber() + 1, readNanos);
        }
    }

    PoolProgress find(ActivityId activityId) {
        CachedPool cached = kept.getIfPresent(activityId);
        return cached != null && ticker.read() - cached.readNanos() < AGE_MAX.toNanos()
                ? cached.pool()
                : read(activityId);
    }

    /**
     * Reads the log, because the cache may be stale. The caller needs the newest state, because its act cannot be taken
     * back.
     */
    @Override
    public boolean isUndecided(ActivityId activityId) {
        return switch (read(activityId).state()) {
            case OPEN, CLOSED, FROZEN -> true;
            case ORDERED, DRAWN, CANCELLED -> false;
        };
    }

    /** Returns the newest progress. Callers who ask during a read wait for the next one, and share it. */
    private PoolProgress read(ActivityId activityId) {
        long askedNanos = ticker.read();
        return Objects.requireNonNull(kept.asMap()
                        .compute(
                                activityId,
                                (_, cached) -> cached != null && cached.readNanos() - askedNanos >= 0
                                        ? cached
                                        : readOn(activityId, cached)))
                .pool();
    }

    private CachedPool readOn(ActivityId activityId, @Nullable CachedPool cached) {
        long readNanos = ticker.read();
        CachedPool known = cached == null
                ? new CachedPool(PoolProgress.open(activityId), 0, readNanos)
                : new CachedPool(cached.pool(), cached.next(), readNanos);
        return EventStreams.foldMessages(events, new PoolId(activityId).text(), known.next(), known, CachedPool::after);
    }
}
