package lottery.api.activity;

import lottery.api.Command;
import org.jspecify.annotations.Nullable;

/** The commands to an activity; each answers with the state that the activity then has. */
public sealed interface ActivityCommand extends Command<ActivityState> {

    ActivityId activityId();

    @Override
    default ActivityId target() {
        return activityId();
    }

    record CreateActivity(ActivityId activityId, ActivityDefinition definition) implements ActivityCommand {}

    /**
     * Describes a draft anew.
     *
     * @param basedOn the version of the definition that was read; it is refused if there is a newer one; null: any
     */
    record EditActivity(ActivityId activityId, @Nullable Integer basedOn, ActivityDefinition definition)
            implements ActivityCommand {}

    record SubmitActivity(ActivityId activityId) implements ActivityCommand {}

    /**
     * Approves the activity, with the newest version of its strategy.
     *
     * @param strategyVersion the version that was looked at; it is refused if there is a newer one; null: any
     * @param definitionVersion the version of the definition that was looked at, in the same way
     */
    record PassActivity(
            ActivityId activityId,
            @Nullable Integer strategyVersion,
            @Nullable Integer definitionVersion) implements ActivityCommand {}

    /** Approves another version of the strategy, for the draws from now on. */
    record AdoptStrategy(ActivityId activityId, int strategyVersion) implements ActivityCommand {}

    record RefuseActivity(ActivityId activityId) implements ActivityCommand {}

    record RevokeActivity(ActivityId activityId) implements ActivityCommand {}

    record StartActivity(ActivityId activityId) implements ActivityCommand {}

    record PauseActivity(ActivityId activityId) implements ActivityCommand {}

    record ResumeActivity(ActivityId activityId) implements ActivityCommand {}

    /**
     * Keeps an award from being won until it is released. An award that is held already stays as it is.
     *
     * @param reason for people
     */
    record HoldAward(ActivityId activityId, int awardId, String reason) implements ActivityCommand {}

    /** Ends the hold of an award. An award that is not held stays as it is. */
    record ReleaseHeldAward(ActivityId activityId, int awardId, String reason) implements ActivityCommand {}

    record CloseActivity(ActivityId activityId) implements ActivityCommand {}

    record OpenActivity(ActivityId activityId) implements ActivityCommand {}

    /**
     * Publishes the seed of a round. The sender first waits until no process can take that round for running any more.
     */
    record PublishSeed(ActivityId activityId, int round) implements ActivityCommand {}
}
