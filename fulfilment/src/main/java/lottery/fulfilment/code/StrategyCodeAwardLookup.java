package lottery.fulfilment.code;

import java.util.Optional;
import java.util.stream.Stream;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityId;
import lottery.api.award.CodePoolId;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyId;
import lottery.store.axon.EventStreams;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/**
 * Looks up which awards are of type CODE. It reads the event log, because a process that runs sagas may have no read
 * models.
 */
@Component
final class StrategyCodeAwardLookup {

    private final EventStore events;

    StrategyCodeAwardLookup(EventStore events) {
        this.events = events;
    }

    /**
     * Returns whether the strategy of the activity has this award with the type CODE. All versions are searched,
     * because awards that were drawn by an earlier version may still have to be handed over.
     */
    boolean contain(CodePoolId pool) {
        return strategyOf(pool.activityId()).stream()
                .flatMap(strategy -> EventStreams.select(events, strategy.text(), StrategyEvent.class))
                .flatMap(version -> version.definition().awards().stream())
                .anyMatch(award -> award.awardId() == pool.awardId() && award.type() == AwardType.CODE);
    }

    boolean hasActivity(ActivityId activityId) {
        return strategyOf(activityId).isPresent();
    }

    private Optional<StrategyId> strategyOf(ActivityId activityId) {
        return EventStreams.select(events, activityId.text(), ActivityEvent.class)
                .flatMap(event -> switch (event) {
                    case ActivityCreated created ->
                        Stream.of(created.definition().strategyId());
                    case ActivityEdited edited -> Stream.of(edited.definition().strategyId());
                    case ActivityEvent _ -> Stream.empty();
                })
                .reduce((earlier, later) -> later);
    }
}
