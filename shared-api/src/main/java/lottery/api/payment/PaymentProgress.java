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
import lottery.api.payment.PaymentEvent.PaymentClosed;
import lottery.api.payment.PaymentEvent.PaymentDelivered;
import lottery.api.payment.PaymentEvent.PaymentOrdered;
import lottery.api.payment.PaymentEvent.ProviderAdded;
import lottery.api.payment.PaymentEvent.RefundLeftToDesk;
import lottery.api.payment.PaymentEvent.RefundOrdered;
import org.jspecify.annotations.Nullable;

/**
 * The state of a payment, folded from its events.
 *
 * @param providers who may take the money, in the order in which they were asked for
 * @param isClosed whether no provider takes money any more, and all that was taken is noted
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
        boolean isClosed,
        List<TakenTrade> trades) {

    /**
     * Money that a provider has taken.
     *
     * @param reason why it is given back; null if it is kept
     * @param refundOrderedAt since when it is to be given back; null if it is kept
     * @param refunds how often its refund was ordered
     * @param cause why the provider has not given it back, as a text for people; null if it was not left to the desk
     */
    public record TakenTrade(
            Trade trade,
            Money money,
            TradeState state,
            @Nullable RefundReason reason,
            @Nullable Instant refundOrderedAt,
            int refunds,
            @Nullable String cause) {

        private TakenTrade in(TradeState next) {
            return new TakenTrade(trade, money, next, reason, refundOrderedAt, refunds, cause);
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
            case ProviderAdded added -> before.with(plus(before.providers, added.provider()), before.isClosed);
            case PaymentClosed _ -> before.with(before.providers, true);
            case MoneyTaken taken ->
                before.with(plus(
                        before.trades,
                        new TakenTrade(taken.trade(), taken.money(), TradeState.TAKEN, null, null, 0, null)));
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
                                trade.refunds() + 1,
                                null));
            case MoneyRefunded refunded -> before.change(refunded.trade(), trade -> trade.in(TradeState.REFUNDED));
            case RefundLeftToDesk left ->
                before.change(
                        left.trade(),
                        trade -> new TakenTrade(
                                trade.trade(),
                                trade.money(),
                                TradeState.ON_DESK,
                                trade.reason(),
                                trade.refundOrderedAt(),
                                trade.refunds(),
                                left.cause()));
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
                paymentId, accountId, sku, outBusinessNo, price, providers, expiresAt, isClosed, next);
    }

    private PaymentProgress with(List<String> next, boolean closed) {
        return new PaymentProgress(paymentId, accountId, sku, outBusinessNo, price, next, expiresAt, closed, trades);
    }

    /** Returns the state of the whole payment. */
    public PaymentState state() {
        return PaymentState.of(isClosed, trades.stream().map(TakenTrade::state).toList());
    }

    /** Returns whether nothing is due: no provider takes money any more, and all that was taken is where it stays. */
    public boolean isSettled() {
        return isClosed && !has(TradeState.TAKEN) && !has(TradeState.REFUND_DUE);
    }

    private boolean has(TradeState state) {
        return trades.stream().anyMatch(trade -> trade.state() == state);
    }

    public Optional<TakenTrade> find(Trade wanted) {
        return trades.stream().filter(trade -> trade.trade().equals(wanted)).findFirst();
    }

    public List<TakenTrade> in(TradeState state) {
        return trades.stream().filter(trade -> trade.state() == state).toList();
    }
}
