package lottery.choice;

import lottery.api.activity.ActivityId;

/** Which activities there are, whatever their state. */
@FunctionalInterface
interface KnownActivities {

    boolean has(ActivityId activityId);
}
