package lottery.view.activity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;
import java.util.stream.Stream;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityId;
import lottery.store.axon.EventStreams;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/**
 * Reads from the log the definitions of activities that have a draw or a recharge. Such an activity has started, and
 * its definition can no longer be edited. So a projection of draws always finds the right definition here. It need not
 * follow the events of activities, and cannot be ahead of them or behind them.
 */
@Component
public class StartedActivityDefinitions {

    private static final long KNOWN_MAX = 1_000;

    private final EventStore events;
    private final Cache<ActivityId, ActivityDefinition> known =
            Caffeine.newBuilder().maximumSize(KNOWN_MAX).build();

    StartedActivityDefinitions(EventStore events) {
        this.events = events;
    }

    /** Returns the definition of an activity, which must have started. */
    public Optional<ActivityDefinition> find(ActivityId activityId) {
        ActivityDefinition definition = known.getIfPresent(activityId);
        if (definition == null) {
            Optional<ActivityDefinition> told = told(activityId);
            told.ifPresent(found -> known.put(activityId, found));
            return told;
        }
        return Optional.of(definition);
    }

    private Optional<ActivityDefinition> told(ActivityId activityId) {
        return EventStreams.select(events, activityId.text(), ActivityEvent.class)
                .flatMap(event -> switch (event) {
                    case ActivityCreated created -> Stream.of(created.definition());
                    case ActivityEdited edited -> Stream.of(edited.definition());
                    case ActivityEvent _ -> Stream.empty();
                })
                .reduce((_, newer) -> newer);
    }
}
