package lottery.payment;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import lottery.account.SkuLimitGuard;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.SubmissionFlaw;
import lottery.api.SubmissionFlaw.FlawKind;
import lottery.api.account.AccountCommand.CompleteRecharge;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeCommand.CloseRecharge;
import lottery.api.account.RechargeCommand.ReserveRecharge;
import lottery.api.account.RechargeCommand.RevokeEntitlement;
import lottery.api.account.RechargeId;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuOffer;
import lottery.api.activity.StockId;
import lottery.api.payment.PaymentId;
import lottery.api.payment.PaymentProgress;
import lottery.recharge.SkuSeller;
import lottery.stock.StockUnitSource;
import lottery.store.command.CommandSender;
import org.springframework.stereotype.Component;

/**
 * Reserves, delivers and releases what payments buy, in the unit of work of the payment. A recharge that waits keeps
 * the unit of the SKU, so that what is paid for is there.
 */
@Component
class PaidGoods {

    private static final String SKU = "/sku";

    /** How many payments of a user for a SKU may wait at the same time. Each keeps a unit from other users. */
    private static final int WAITING_MAX = 1;

    private final SkuSeller skuSeller;
    private final SkuLimitGuard limits;
    private final StockUnitSource stock;
    private final CommandSender commands;

    PaidGoods(SkuSeller skuSeller, SkuLimitGuard limits, StockUnitSource stock, CommandSender commands) {
        this.skuSeller = skuSeller;
        this.limits = limits;
        this.stock = stock;
        this.commands = commands;
    }

    /** Returns the SKU as it is on offer for money now. */
    Answer<SkuOffer> offer(AccountId account, SkuId sku) {
        return skuSeller
                .offer(account, sku)
                .then(offer -> offer.price() == null
                        ? Answer.no(new Refused(
                                Refusal.INVALID, SKU, List.of(new SubmissionFlaw(SKU, FlawKind.PRICE_MISSING))))
                        : Answer.done(offer));
    }

    /**
     * Reserves a unit of the SKU, if the user can have it once more.
     *
     * @param until when it is released if the payment has done nothing
     */
    Answer<SkuOffer> reserve(AccountId account, SkuId sku, PaymentId paymentId, Instant until) {
        return offer(account, sku)
                .then(offer -> limits.requireLeft(account, offer, skuSeller.day(account)))
                .then(offer -> stock.takeIfLimited(waiting(account, sku), WAITING_MAX, another(account, sku))
                        .then(_ -> Answer.done(offer)))
                .then(offer -> send(new ReserveRecharge(account, sku, paymentId.text(), until))
                        .then(_ -> Answer.done(offer)));
    }

    /** Returns what a payment buys, for its user to read. */
    String title(PaymentProgress payment) {
        return skuSeller
                .offerOf(payment.accountId(), payment.sku())
                .map(offer ->
                        Objects.requireNonNullElse(offer.title(), payment.sku().toString()))
                .orElse(payment.sku().toString());
    }

    private static StockId waiting(AccountId account, SkuId sku) {
        return StockId.ofWaitingPayments(account.activityId(), account.userId(), sku);
    }

    private static Refused another(AccountId account, SkuId sku) {
        return new Refused(Refusal.PAYMENT_WAITS, "%s, %s".formatted(account, sku));
    }

    /** Lets the user order another payment, because this one waits no more. */
    void endWait(PaymentProgress payment) {
        stock.giveBack(waiting(payment.accountId(), payment.sku()));
    }

    /** Adds the chances to the account, and grants the content, if chances can still be spent. */
    Answer<?> deliver(PaymentProgress payment) {
        return skuSeller
                .requireRunning(payment.accountId())
                .then(_ -> send(new CompleteRecharge(payment.accountId(), rechargeOf(payment))));
    }

    /** Gives the unit of the SKU back. */
    void release(PaymentProgress payment) {
        send(new CloseRecharge(rechargeOf(payment))).orThrow();
    }

    /** Takes the content back that the payment has bought. The chances stay, because they may be spent. */
    void takeContentBack(PaymentProgress payment) {
        send(new RevokeEntitlement(rechargeOf(payment))).orThrow();
    }

    private static RechargeId rechargeOf(PaymentProgress payment) {
        return payment.paymentId().rechargeOf(payment.accountId().userId());
    }

    /** Returns the refusal as an answer, because the unit of work goes on after it. */
    private <R> Answer<R> send(Command<R> command) {
        try {
            return commands.sendWithin(command);
        } catch (RefusedException refused) {
            return Answer.no(refused.refused());
        }
    }
}
