package lottery.activity;

import lottery.api.activity.ActivityId;

/**
 * Says whether the draw of a pool is still open. Until then the seed must stay secret, because a person who knew it
 * could compute the winners for many random values and look for a good one.
 */
public interface UndecidedPoolCheck {

    /** Returns whether the pool may still be drawn and the public random value of its draw is not stored yet. */
    boolean isUndecided(ActivityId activityId);
}
