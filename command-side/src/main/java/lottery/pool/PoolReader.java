package lottery.pool;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.time.Duration;
import lottery.activity.UndecidedPools;
import lottery.api.activity.ActivityId;
import lottery.api.pool.PoolEvent;
import lottery.api.pool.PoolId;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/** Reads the progress of pools from the log. Everybody may ask for it, so that it is kept for a moment. */
@Component
class PoolReader implements UndecidedPools {

    private static final long KEPT_MAX = 1_000;
    private static final Duration AGE_MAX = Duration.ofSeconds(2);

    private final EventStore events;
    private final LoadingCache<ActivityId, PoolProgress> kept = Caffeine.newBuilder()
            .maximumSize(KEPT_MAX)
            .expireAfterWrite(AGE_MAX)
            .build(this::read);

    PoolReader(EventStore events) {
        this.events = events;
    }

    PoolProgress find(ActivityId activityId) {
        return kept.get(activityId);
    }

    /** Reads the log, since what is kept may be older than an answer that cannot be taken back. */
    @Override
    public boolean isUndecided(ActivityId activityId) {
        return switch (read(activityId).state()) {
            case OPEN, CLOSED, FROZEN -> true;
            case ORDERED, DRAWN, CANCELLED -> false;
        };
    }

    private PoolProgress read(ActivityId activityId) {
        DomainEventStream history = events.readEvents(new PoolId(activityId).text());
        PoolProgress pool = PoolProgress.open(activityId);
        while (history.hasNext()) {
            pool = pool.evolve((PoolEvent) history.next().getPayload());
        }
        return pool;
    }
}
