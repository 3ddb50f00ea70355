package lottery.api.payment;

/** The states of a payment. */
public enum PaymentState {
    /** It waits for its money. */
    WAITING,
    /** Its money is there, and its SKU is delivered next. */
    PAID,
    /** Its SKU is delivered. */
    DELIVERED,
    /** No money came in time. */
    EXPIRED,
    /** Money is given back next. */
    REFUND_DUE,
    /** All money was given back. */
    REFUNDED,
    /** Money cannot be given back by itself, and a person has to decide. */
    ON_DESK
}
