package lottery.api.activity;

import lottery.api.Event;
import lottery.api.EventName;

/** The events of an activity. */
public sealed interface ActivityEvent extends Event {

    ActivityId activityId();

    @EventName("activity.created")
    record ActivityCreated(ActivityId activityId, ActivityDefinition definition) implements ActivityEvent {}

    @EventName("activity.edited")
    record ActivityEdited(ActivityId activityId, ActivityDefinition definition) implements ActivityEvent {}

    @EventName("activity.submitted")
    record ActivitySubmitted(ActivityId activityId) implements ActivityEvent {}

    @EventName("activity.passed")
    record ActivityPassed(ActivityId activityId) implements ActivityEvent {}

    @EventName("activity.refused")
    record ActivityRefused(ActivityId activityId) implements ActivityEvent {}

    @EventName("activity.revoked")
    record ActivityRevoked(ActivityId activityId) implements ActivityEvent {}

    /**
     * A round begins, with a secret seed of its own.
     *
     * @param round 1 for the first start, one more for each later one
     * @param commitment the SHA-256 of the seed's 32 bytes, in hex, by which anybody can recognize the seed later
     * @param sealedSeed the seed, encrypted with a key that is not in the store
     */
    @EventName("activity.started")
    record ActivityStarted(ActivityId activityId, int round, String commitment, String sealedSeed)
            implements ActivityEvent {}

    @EventName("activity.closed")
    record ActivityClosed(ActivityId activityId) implements ActivityEvent {}

    @EventName("activity.opened")
    record ActivityOpened(ActivityId activityId) implements ActivityEvent {}

    /**
     * The seed of a round that is over was published.
     *
     * @param seed its 32 bytes, in hex
     */
    @EventName("activity.seed-published")
    record SeedPublished(ActivityId activityId, int round, String seed) implements ActivityEvent {}
}
