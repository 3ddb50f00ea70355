package lottery.api.award;

/** The state of a won award. */
public enum AwardState {
    /** The award waits for its time, for an address, or for its invoice, which may have left some seconds ago. */
    WON,
    /**
     * The invoice was sent, and fulfilment has not answered within some seconds. A PHYSICAL award enters this state as
     * soon as the invoice was sent.
     */
    DISPATCHED,
    /** The invoice could not be sent, and sending is tried again. */
    DISPATCH_FAILED,
    GRANTED,
    /** Fulfilment will not hand the award over, and the remedy follows next. */
    REJECTED,
    /** The winner was compensated for the award. */
    COMPENSATED,
    /** The award waits on the desk for the decision of an operator. */
    ON_DESK,
    /** The winner has not claimed the award in time. */
    FORFEITED,
    /** The award was taken from its winner. */
    VOIDED;

    /**
     * Returns whether an answer of fulfilment still counts. It also counts for an award on the desk, because the answer
     * may be late or come from an operator.
     */
    public boolean isAwaited() {
        return switch (this) {
            case WON, DISPATCHED, DISPATCH_FAILED, ON_DESK -> true;
            case GRANTED, REJECTED, COMPENSATED, FORFEITED, VOIDED -> false;
        };
    }
}
