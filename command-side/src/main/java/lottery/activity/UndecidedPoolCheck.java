package lottery.activity;

import lottery.api.activity.ActivityId;

/**
 * Says whether the draw of a pool is still open. While it is open, a person who knew the seed could try out random
 * values.
 */
public interface UndecidedPoolCheck {

    /** Returns whether a pool may still be drawn and the random value of its draw is not stored yet. */
    boolean isUndecided(ActivityId activityId);
}
