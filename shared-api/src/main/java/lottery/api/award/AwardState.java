package lottery.api.award;

/** Where a won award is. */
public enum AwardState {
    /** It waits for its time, for an address, or for its invoice, which may have left some seconds ago. */
    WON,
    /** Fulfilment was asked, and has not answered within some seconds. A parcel is in this state at once. */
    DISPATCHED,
    /** Its invoice could not be sent, and is tried again. */
    DISPATCH_FAILED,
    GRANTED,
    /** Fulfilment will not hand it over, and it is about to be made good for. */
    REJECTED,
    /** It was made good for in another way. */
    COMPENSATED,
    /** An operator decides. */
    ON_DESK,
    /** Nobody has claimed it in time. */
    FORFEITED;

    /** Whether an answer of fulfilment still counts: also on the desk, where it comes late, or from an operator. */
    public boolean isAwaited() {
        return switch (this) {
            case WON, DISPATCHED, DISPATCH_FAILED, ON_DESK -> true;
            case GRANTED, REJECTED, COMPENSATED, FORFEITED -> false;
        };
    }
}
