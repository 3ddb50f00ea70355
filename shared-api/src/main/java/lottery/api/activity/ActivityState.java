package lottery.api.activity;

/** The state of an activity, from draft to end. The aggregate decides which states may follow which. */
public enum ActivityState {
    EDIT,
    ARRAIGNED,
    PASSED,
    REFUSED,
    DOING,
    /** The activity is paused: no chance can be spent, but the round continues. */
    PAUSED,
    CLOSED,
    OPENED
}
