package lottery.api.payment;

import java.time.Instant;
import java.util.List;
import lottery.api.Command;
import lottery.api.Money;
import lottery.api.account.AccountId;
import lottery.api.activity.SkuId;

/** The commands to a payment. */
public sealed interface PaymentCommand extends Command<PaymentProgress> {

    PaymentId paymentId();

    @Override
    default PaymentId target() {
        return paymentId();
    }

    /** Reserves a SKU for a user, and waits for its price, once per business number. */
    record OrderPayment(AccountId accountId, SkuId sku, String outBusinessNo, String provider)
            implements PaymentCommand {

        @Override
        public PaymentId paymentId() {
            return PaymentId.of(accountId.userId(), outBusinessNo);
        }
    }

    /** Lets one more provider take the money of a payment that waits. */
    record AddProvider(PaymentId paymentId, String provider) implements PaymentCommand {}

    /** Notes money that a provider has taken, once for each trade. */
    record NoteMoneyTaken(PaymentId paymentId, Trade trade, Money money, Instant takenAt) implements PaymentCommand {}

    /** Delivers the SKU of a payment whose money is there, or else orders the refund. */
    record DeliverPayment(PaymentId paymentId) implements PaymentCommand {}

    /**
     * Notes that no provider takes money for the payment any more, and that all that was taken is noted. A payment that
     * waits can be closed only after its time.
     *
     * @param providers those that were asked; if one was added meanwhile, nothing happens
     */
    record ClosePayment(PaymentId paymentId, List<String> providers) implements PaymentCommand {}

    /**
     * Gives the money of a trade back that was kept, or tries it again after it was left to the desk. For money that is
     * or was given back already, it changes nothing.
     */
    record OrderRefund(PaymentId paymentId, Trade trade) implements PaymentCommand {}

    /** Notes that the provider has given money back. */
    record NoteRefunded(PaymentId paymentId, Trade trade) implements PaymentCommand {}

    /** Notes that money on the desk was given back in another way than by its provider. */
    record NoteRefundByHand(PaymentId paymentId, Trade trade) implements PaymentCommand {}

    /**
     * Leaves money that cannot be given back to the desk.
     *
     * @param cause the provider's answer, as a text for people
     */
    record LeaveRefundToDesk(PaymentId paymentId, Trade trade, String cause) implements PaymentCommand {}

    /**
     * Does what is due for a payment: asks its providers for money, delivers, gives money back. The answer comes before
     * it is done, because providers may be slow, and events tell what was done.
     */
    record SettlePayment(PaymentId paymentId) implements PaymentCommand {}

    /**
     * Asks the providers of a payment once more what they have taken, even if it is closed. The answer comes before
     * they are asked.
     */
    record SearchMoney(PaymentId paymentId) implements PaymentCommand {}
}
