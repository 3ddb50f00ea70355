package lottery.api.payment;

import java.time.Instant;
import lottery.api.EventName;
import lottery.api.EventOfUser;
import lottery.api.Money;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;

/** The events of a payment. */
public sealed interface PaymentEvent extends EventOfUser {

    PaymentId paymentId();

    /**
     * A payment was ordered, and waits for its money. The same commit reserves the SKU, by a recharge that waits.
     *
     * @param outBusinessNo the caller's number of the payment
     * @param provider the provider that may take the money
     * @param expiresAt the time after which the provider is told to take no money
     */
    @EventName("payment.ordered")
    record PaymentOrdered(
            PaymentId paymentId,
            ActivityId activityId,
            UserId userId,
            SkuId sku,
            String outBusinessNo,
            Money price,
            String provider,
            Instant expiresAt)
            implements PaymentEvent {}

    /** One more provider may take the money. */
    @EventName("payment.provider-added")
    record ProviderAdded(PaymentId paymentId, UserId userId, String provider) implements PaymentEvent {}

    /**
     * A provider has taken money. It is kept for the SKU, unless the same commit orders its refund.
     *
     * @param takenAt the time by the provider's clock
     */
    @EventName("payment.money-taken")
    record MoneyTaken(PaymentId paymentId, UserId userId, Trade trade, Money money, Instant takenAt)
            implements PaymentEvent {}

    /** The SKU was delivered for the money of this trade. The same commit completes the recharge. */
    @EventName("payment.delivered")
    record PaymentDelivered(PaymentId paymentId, UserId userId, Trade trade) implements PaymentEvent {}

    /**
     * No provider takes money any more, and each was asked once more what it has taken. A payment without money has
     * expired then, and the same commit closes its recharge.
     */
    @EventName("payment.closed")
    record PaymentClosed(PaymentId paymentId, UserId userId) implements PaymentEvent {}

    /**
     * The money of a trade is to be given back, all of it.
     *
     * @param orderedAt from when on the provider is asked; after a day without its answer the desk has to decide
     */
    @EventName("payment.refund-ordered")
    record RefundOrdered(PaymentId paymentId, UserId userId, Trade trade, RefundReason reason, Instant orderedAt)
            implements PaymentEvent {}

    /** The provider has given the money back. */
    @EventName("payment.refunded")
    record MoneyRefunded(PaymentId paymentId, UserId userId, Trade trade) implements PaymentEvent {}

    /**
     * The provider does not give the money back, so a person has to decide.
     *
     * @param cause the provider's answer, as a text for people
     */
    @EventName("payment.left-to-desk")
    record RefundLeftToDesk(PaymentId paymentId, UserId userId, Trade trade, String cause) implements PaymentEvent {}
}
