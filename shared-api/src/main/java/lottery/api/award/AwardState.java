package lottery.api.award;

/** Where a won award is. */
public enum AwardState {
    WON,
    DISPATCHED,
    GRANTED,
    REJECTED
}
