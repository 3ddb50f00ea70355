package lottery.api.activity;

/** The state of an activity, from draft to end. The aggregate decides which states may follow which. */
public enum ActivityState {
    EDIT,
    ARRAIGNED,
    PASSED,
    REFUSED,
    DOING,
    /** Nothing is spent for a while; the round continues. */
    PAUSED,
    CLOSED,
    OPENED
}
