package lottery.activity;

import lottery.api.activity.ActivityId;

/**
 * Says whether the draw of a pool is still open. While the draw is open, the seed must stay secret. A person who knew
 * the seed could compute the winners for many random values, and look for a good value.
 */
public interface OpenPoolLookup {

    /** Returns whether the pool may still be drawn and the public random value of its draw is not stored yet. */
    boolean isUndecided(ActivityId activityId);
}
