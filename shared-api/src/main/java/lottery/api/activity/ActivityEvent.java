package lottery.api.activity;

import lottery.api.EventName;
import lottery.api.EventOfDecision;
import org.jspecify.annotations.Nullable;

/** The events of an activity. */
public sealed interface ActivityEvent extends EventOfDecision {

    ActivityId activityId();

    @EventName(value = "activity.created", revision = 2)
    record ActivityCreated(ActivityId activityId, ActivityDefinition definition) implements ActivityEvent {}

    @EventName(value = "activity.edited", revision = 2)
    record ActivityEdited(ActivityId activityId, ActivityDefinition definition) implements ActivityEvent {}

    @EventName("activity.submitted")
    record ActivitySubmitted(ActivityId activityId) implements ActivityEvent {}

    /**
     * The activity was approved, with the version of its strategy that it will draw by.
     *
     * @param strategyVersion the approved version
     * @param strategyHash the SHA-256 of the version's definition, in hex
     */
    @EventName("activity.passed")
    record ActivityPassed(ActivityId activityId, int strategyVersion, String strategyHash) implements ActivityEvent {

        ApprovedStrategy approved() {
            return new ApprovedStrategy(strategyVersion, strategyHash);
        }
    }

    /**
     * Another version of the strategy was approved for an activity that had been approved before.
     *
     * @param roundCommitment binds the version to the running round ({@link RoundCommitment#of}); null if no round runs
     */
    @EventName("activity.strategy-adopted")
    record StrategyAdopted(
            ActivityId activityId,
            int strategyVersion,
            String strategyHash,
            @Nullable String roundCommitment) implements ActivityEvent {

        ApprovedStrategy approved() {
            return new ApprovedStrategy(strategyVersion, strategyHash);
        }
    }

    @EventName("activity.refused")
    record ActivityRefused(ActivityId activityId) implements ActivityEvent {}

    @EventName("activity.revoked")
    record ActivityRevoked(ActivityId activityId) implements ActivityEvent {}

    /**
     * A round begins, with a secret seed of its own.
     *
     * @param round 1 for the first start, and one more for each later start
     * @param commitment the SHA-256 of the seed's 32 bytes, in hex; with it, anybody can check the seed after its
     *     publication
     * @param sealedSeed the seed, encrypted with a key that is not stored in the database
     * @param roundCommitment binds the approved version of the strategy to the round ({@link RoundCommitment#of})
     */
    @EventName("activity.started")
    record ActivityStarted(
            ActivityId activityId, int round, String commitment, String sealedSeed, String roundCommitment)
            implements ActivityEvent {}

    /** The activity was paused. No chance can be spent during the pause, but the round continues. */
    @EventName("activity.paused")
    record ActivityPaused(ActivityId activityId) implements ActivityEvent {}

    @EventName("activity.resumed")
    record ActivityResumed(ActivityId activityId) implements ActivityEvent {}

    /**
     * Draws no longer win the award, as if it were sold out.
     *
     * @param reason a text for people
     */
    @EventName("activity.award-held")
    record AwardHeld(ActivityId activityId, int awardId, String reason) implements ActivityEvent {}

    /** Draws can win the award again. */
    @EventName("activity.held-award-released")
    record HeldAwardReleased(ActivityId activityId, int awardId, String reason) implements ActivityEvent {}

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
