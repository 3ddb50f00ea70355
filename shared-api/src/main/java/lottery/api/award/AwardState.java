package lottery.api.award;

/** The state of a won award. */
public enum AwardState {
    /** It waits for its time, for an address, or for its invoice, which may have left some seconds ago. */
    WON,
    /** Fulfilment was asked, and has not answered within some seconds. A PHYSICAL award is in this state at once. */
    DISPATCHED,
    /** Its invoice could not be sent, and is tried again. */
    DISPATCH_FAILED,
    GRANTED,
    /** Fulfilment will not hand it over, and it is about to be compensated for. */
    REJECTED,
    /** It was compensated for. */
    COMPENSATED,
    /** An operator decides. */
    ON_DESK,
    /** The winner has not claimed it in time. */
    FORFEITED,
    /** It was taken from its winner. */
    VOIDED;

    /**
     * Returns whether an answer of fulfilment still counts. It does on the desk, too: it may be late, or come from an
     * operator.
     */
    public boolean isAwaited() {
        return switch (this) {
            case WON, DISPATCHED, DISPATCH_FAILED, ON_DESK -> true;
            case GRANTED, REJECTED, COMPENSATED, FORFEITED, VOIDED -> false;
        };
    }
}
