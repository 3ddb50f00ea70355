package lottery.choice;

import lottery.api.activity.ActivityId;

/** Says whether an activity exists, whatever its state. */
@FunctionalInterface
interface ActivityExistenceLookup {

    boolean has(ActivityId activityId);
}
