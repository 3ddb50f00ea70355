package lottery.view.activity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.pool.PoolEvent.PoolFrozen;
import lottery.api.pool.PoolId;
import lottery.store.axon.EventStreams;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/**
 * Reads from the log whether a win belongs to a pool, and what was published when that pool was frozen. A win always
 * comes after the freeze. So a projection of wins finds these facts in the log, and need not follow the events of
 * pools, too.
 */
@Component
public class PoolOfWinLookup {

    private static final long KNOWN_MAX = 1_000;

    private final EventStore events;
    private final StartedActivityDefinitions activities;
    private final Cache<ActivityId, PoolFrozen> known =
            Caffeine.newBuilder().maximumSize(KNOWN_MAX).build();

    PoolOfWinLookup(EventStore events, StartedActivityDefinitions activities) {
        this.events = events;
        this.activities = activities;
    }

    /** Returns the frozen pool in which this award was won; empty if it was won in another way. */
    public Optional<PoolFrozen> poolOf(AwardWon won) {
        return won.insteadOf() == null
                        && activities
                                .find(won.activityId())
                                .filter(definition -> definition.draw() != null)
                                .isPresent()
                ? frozen(won.activityId())
                : Optional.empty();
    }

    private Optional<PoolFrozen> frozen(ActivityId activityId) {
        PoolFrozen frozen = known.getIfPresent(activityId);
        if (frozen == null) {
            Optional<PoolFrozen> told = told(activityId);
            told.ifPresent(found -> known.put(activityId, found));
            return told;
        }
        return Optional.of(frozen);
    }

    private Optional<PoolFrozen> told(ActivityId activityId) {
        return EventStreams.select(events, new PoolId(activityId).text(), PoolFrozen.class)
                .findFirst();
    }
}
