package lottery.api.activity;

/** Where an activity is between draft and end; which way leads where is the aggregate's rule. */
public enum ActivityState {
    EDIT,
    ARRAIGNED,
    PASSED,
    REFUSED,
    DOING,
    CLOSED,
    OPENED
}
