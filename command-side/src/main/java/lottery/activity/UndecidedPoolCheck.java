package lottery.activity;

import lottery.api.activity.ActivityId;

/** Says whether the draw of a pool is still open. As long as it is, whoever knew the seed could try random values. */
public interface UndecidedPoolCheck {

    /** Returns whether a pool may still be drawn, and the random value of its draw is not stored yet. */
    boolean isUndecided(ActivityId activityId);
}
