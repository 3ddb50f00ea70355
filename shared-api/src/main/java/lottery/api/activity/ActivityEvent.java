package lottery.api.activity;

import lottery.api.Event;
import lottery.api.EventName;

/** What happened to a campaign. */
public sealed interface ActivityEvent extends Event {

    ActivityId activityId();

    @EventName("activity.created")
    record ActivityCreated(ActivityId activityId, ActivityDefinition definition) implements ActivityEvent {}

    @EventName("activity.submitted")
    record ActivitySubmitted(ActivityId activityId) implements ActivityEvent {}

    @EventName("activity.passed")
    record ActivityPassed(ActivityId activityId) implements ActivityEvent {}

    @EventName("activity.refused")
    record ActivityRefused(ActivityId activityId) implements ActivityEvent {}

    @EventName("activity.revoked")
    record ActivityRevoked(ActivityId activityId) implements ActivityEvent {}

    @EventName("activity.started")
    record ActivityStarted(ActivityId activityId) implements ActivityEvent {}

    @EventName("activity.closed")
    record ActivityClosed(ActivityId activityId) implements ActivityEvent {}

    @EventName("activity.opened")
    record ActivityOpened(ActivityId activityId) implements ActivityEvent {}
}
