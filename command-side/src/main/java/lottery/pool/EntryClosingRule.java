package lottery.pool;

import java.time.Instant;
import java.time.InstantSource;
import lottery.activity.ActivityCache;
import lottery.activity.ActivityProgress;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.DrawPlan;
import lottery.store.axon.EventStreams;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Decides whether the entries of an activity can be closed now, and for which reason. */
@Component
class EntryClosingRule {

    enum ClosingReason {
        /** The time for entries is over. */
        TIME_IS_UP,
        /** The activity was closed before that time. */
        CANCELLED
    }

    private final ActivityCache activities;
    private final EventStore events;
    private final InstantSource clock;

    EntryClosingRule(ActivityCache activities, EventStore events, InstantSource clock) {
        this.activities = activities;
        this.events = events;
        this.clock = clock;
    }

    /** Returns the reason, or a refusal if the entries do not close now. */
    Answer<ClosingReason> due(ActivityId activityId) {
        return activities.decide(activityId, activity -> {
            DrawPlan plan = activity.definition().draw();
            ActivityLifetime run = read(activityId);
            if (plan == null || !run.started()) {
                return notNow(activity);
            }
            Instant closedAt = run.closedAt();
            if (closedAt != null && closedAt.isBefore(plan.entriesCloseAt())) {
                return Answer.done(ClosingReason.CANCELLED);
            }
            return clock.instant().isBefore(plan.entriesCloseAt())
                    ? notNow(activity)
                    : Answer.done(ClosingReason.TIME_IS_UP);
        });
    }

    private static Answer<ClosingReason> notNow(ActivityProgress activity) {
        return Answer.no(new Refused(Refusal.ACTIVITY_STATE, "close-entries (" + activity.activityId() + ")"));
    }

    /**
     * Whether an activity was started, and when it was closed.
     *
     * @param closedAt when the activity was closed; it cannot be opened again after that time; null if it is not closed
     */
    private record ActivityLifetime(
            boolean started, @Nullable Instant closedAt) {

        ActivityLifetime after(DomainEventMessage<?> event) {
            return switch (event.getPayload()) {
                case ActivityStarted _ -> new ActivityLifetime(true, null);
                case ActivityClosed _ -> new ActivityLifetime(started, event.getTimestamp());
                default -> this;
            };
        }
    }

    /** Reads the log, because the cache may be some seconds old, and the exact moment matters. */
    private ActivityLifetime read(ActivityId activityId) {
        return EventStreams.foldMessages(
                events, activityId.text(), 0, new ActivityLifetime(false, null), ActivityLifetime::after);
    }
}
