package lottery.api.payment;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import lottery.api.Money;
import lottery.api.account.AccountId;
import lottery.api.activity.SkuId;
import lottery.api.payment.PaymentEvent.MoneyRefunded;
import lottery.api.payment.PaymentEvent.MoneyTaken;
import lottery.api.payment.PaymentEvent.PaymentDelivered;
import lottery.api.payment.PaymentEvent.PaymentExpired;
import lottery.api.payment.PaymentEvent.PaymentOrdered;
import lottery.api.payment.PaymentEvent.ProviderAdded;
import lottery.api.payment.PaymentEvent.RefundLeftToDesk;
import lottery.api.payment.PaymentEvent.RefundOrdered;
import org.jspecify.annotations.Nullable;

/**
 * The state of a payment, folded from its events.
 *
 * @param providers who may take the money, in the order in which they were asked for
 * @param isExpired whether no money came in time
 * @param trades the money that was taken, in the order in which it was noted
 */
public record PaymentProgress(
        PaymentId paymentId,
        AccountId accountId,
        SkuId sku,
        String outBusinessNo,
        Money price,
        List<String> providers,
        Instant expiresAt,
        boolean isExpired,
        List<TakenTrade> trades) {

    /**
     * Money that a provider has taken.
     *
     * @param reason why it is given back; null if it is kept
     * @param refundOrderedAt since when it is to be given back; null if it is kept
     * @param refunds how often its refund was ordered
     */
    public record TakenTrade(
            Trade trade,
            Money money,
            TradeState state,
            @Nullable RefundReason reason,
            @Nullable Instant refundOrderedAt,
            int refunds) {

        private TakenTrade in(TradeState next) {
            return new TakenTrade(trade, money, next, reason, refundOrderedAt, refunds);
        }
    }

    public PaymentProgress {
        providers = List.copyOf(providers);
        trades = List.copyOf(trades);
    }

    /** Returns the state after an event. */
    public static PaymentProgress after(@Nullable PaymentProgress before, PaymentEvent event) {
        if (event instanceof PaymentOrdered ordered) {
            return new PaymentProgress(
                    ordered.paymentId(),
                    new AccountId(ordered.activityId(), ordered.userId()),
                    ordered.sku(),
                    ordered.outBusinessNo(),
                    ordered.price(),
                    List.of(ordered.provider()),
                    ordered.expiresAt(),
                    false,
                    List.of());
        }
        if (before == null) {
            throw new IllegalStateException(event.paymentId() + " went on before it was ordered");
        }
        return switch (event) {
            case PaymentOrdered _ -> before;
            case ProviderAdded added -> before.with(plus(before.providers, added.provider()), before.isExpired);
            case PaymentExpired _ -> before.with(before.providers, true);
            case MoneyTaken taken ->
                before.with(plus(
                        before.trades, new TakenTrade(taken.trade(), taken.money(), TradeState.TAKEN, null, null, 0)));
            case PaymentDelivered delivered ->
                before.change(delivered.trade(), trade -> trade.in(TradeState.DELIVERED));
            case RefundOrdered ordered ->
                before.change(
                        ordered.trade(),
                        trade -> new TakenTrade(
                                trade.trade(),
                                trade.money(),
                                TradeState.REFUND_DUE,
                                ordered.reason(),
                                ordered.orderedAt(),
                                trade.refunds() + 1));
            case MoneyRefunded refunded -> before.change(refunded.trade(), trade -> trade.in(TradeState.REFUNDED));
            case RefundLeftToDesk left -> before.change(left.trade(), trade -> trade.in(TradeState.ON_DESK));
        };
    }

    private static <T> List<T> plus(List<T> list, T last) {
        List<T> longer = new ArrayList<>(list);
        longer.add(last);
        return longer;
    }

    private PaymentProgress change(Trade changed, UnaryOperator<TakenTrade> change) {
        return with(trades.stream()
                .map(trade -> trade.trade().equals(changed) ? change.apply(trade) : trade)
                .toList());
    }

    private PaymentProgress with(List<TakenTrade> next) {
        return new PaymentProgress(
                paymentId, accountId, sku, outBusinessNo, price, providers, expiresAt, isExpired, next);
    }

    private PaymentProgress with(List<String> next, boolean expired) {
        return new PaymentProgress(paymentId, accountId, sku, outBusinessNo, price, next, expiresAt, expired, trades);
    }

    /** Returns the state of the whole payment. */
    public PaymentState state() {
        return PaymentState.of(isExpired, trades.stream().map(TakenTrade::state).toList());
    }

    /** Returns whether nothing is due: it does not wait for money, for a delivery or for a refund. */
    public boolean isSettled() {
        return switch (state()) {
            case WAITING, PAID, REFUND_DUE -> false;
            case DELIVERED, EXPIRED, REFUNDED, ON_DESK -> true;
        };
    }

    public Optional<TakenTrade> find(Trade wanted) {
        return trades.stream().filter(trade -> trade.trade().equals(wanted)).findFirst();
    }

    public List<TakenTrade> in(TradeState state) {
        return trades.stream().filter(trade -> trade.state() == state).toList();
    }
}
