package lottery.choice;

import lottery.api.activity.ActivityId;

/** Which activities there are, whatever their state. */
@FunctionalInterface
interface ActivityLookup {

    boolean has(ActivityId activityId);
}
