package lottery.api.activity;

import lottery.api.Command;

/** What can be asked of an activity; each answers with the state that it then is in. */
public sealed interface ActivityCommand extends Command<ActivityState> {

    ActivityId activityId();

    @Override
    default ActivityId target() {
        return activityId();
    }

    record CreateActivity(ActivityId activityId, ActivityDefinition definition) implements ActivityCommand {}

    record EditActivity(ActivityId activityId, ActivityDefinition definition) implements ActivityCommand {}

    record SubmitActivity(ActivityId activityId) implements ActivityCommand {}

    record PassActivity(ActivityId activityId) implements ActivityCommand {}

    record RefuseActivity(ActivityId activityId) implements ActivityCommand {}

    record RevokeActivity(ActivityId activityId) implements ActivityCommand {}

    record StartActivity(ActivityId activityId) implements ActivityCommand {}

    record CloseActivity(ActivityId activityId) implements ActivityCommand {}

    record OpenActivity(ActivityId activityId) implements ActivityCommand {}

    /**
     * Lets everybody know the seed of a round. Whoever asks for it has waited until no process can still take that
     * round for running.
     */
    record PublishSeed(ActivityId activityId, int round) implements ActivityCommand {}
}
