package lottery.api.payment;

/** Why money is given back. */
public enum RefundReason {
    /** The payment had its money already. */
    PAID_TWICE,
    /** The payment had expired before the money came. */
    TOO_LATE,
    /** The money is not the price. */
    WRONG_AMOUNT,
    /** The SKU could not be delivered, for example because the activity is over. */
    NOT_DELIVERABLE,
    /** Somebody of the desk has ordered it. */
    ORDERED_BY_DESK
}
