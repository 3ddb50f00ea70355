package lottery.api.activity;

import lottery.api.Command;
import org.jspecify.annotations.Nullable;

/** The commands to an activity. The answer to each is the state of the activity after it. */
public sealed interface ActivityCommand extends Command<ActivityState> {

    ActivityId activityId();

    @Override
    default ActivityId target() {
        return activityId();
    }

    record CreateActivity(ActivityId activityId, ActivityDefinition definition) implements ActivityCommand {}

    /**
     * Replaces the definition of a draft.
     *
     * @param basedOn the version of the definition that the caller has read; the command is refused if there is a newer
     *     version; null accepts any version
     */
    record EditActivity(ActivityId activityId, @Nullable Integer basedOn, ActivityDefinition definition)
            implements ActivityCommand {}

    record SubmitActivity(ActivityId activityId) implements ActivityCommand {}

    /**
     * Approves the activity, with the newest version of its strategy.
     *
     * @param strategyVersion the version that the approver has looked at; the command is refused if there is a newer
     *     version; null accepts any version
     * @param definitionVersion the version of the definition that the approver has looked at, with the same rule
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
     * Holds an award: draws cannot win it until it is released. If the award is held already, nothing changes.
     *
     * @param reason a text for people
     */
    record HoldAward(ActivityId activityId, int awardId, String reason) implements ActivityCommand {}

    /** Ends the hold of an award. If the award is not held, nothing changes. */
    record ReleaseHeldAward(ActivityId activityId, int awardId, String reason) implements ActivityCommand {}

    record CloseActivity(ActivityId activityId) implements ActivityCommand {}

    record OpenActivity(ActivityId activityId) implements ActivityCommand {}

    /**
     * Publishes the seed of a round. Before the sender sends this, it waits until no process can still believe that the
     * round is running.
     */
    record PublishSeed(ActivityId activityId, int round) implements ActivityCommand {}
}
