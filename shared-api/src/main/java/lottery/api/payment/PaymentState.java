package lottery.api.payment;

import java.util.Collection;

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
    ON_DESK;

    /** Returns the state of a payment with these trades. What has to be done comes before what is done. */
    public static PaymentState of(boolean isClosed, Collection<TradeState> trades) {
        if (trades.isEmpty()) {
            return isClosed ? EXPIRED : WAITING;
        } else if (trades.contains(TradeState.TAKEN)) {
            return PAID;
        } else if (trades.contains(TradeState.REFUND_DUE)) {
            return REFUND_DUE;
        } else if (trades.contains(TradeState.ON_DESK)) {
            return ON_DESK;
        }
        return trades.contains(TradeState.DELIVERED) ? DELIVERED : REFUNDED;
    }
}
