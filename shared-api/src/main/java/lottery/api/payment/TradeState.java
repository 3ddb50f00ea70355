package lottery.api.payment;

/** What has become of the money of a trade. */
public enum TradeState {
    /** It is kept, and the SKU is delivered next. */
    TAKEN,
    DELIVERED,
    REFUND_DUE,
    REFUNDED,
    ON_DESK
}
