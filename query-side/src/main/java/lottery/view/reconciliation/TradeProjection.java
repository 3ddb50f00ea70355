package lottery.view.reconciliation;

import java.time.Instant;
import lottery.api.Money;
import lottery.api.payment.PaymentEvent;
import lottery.api.payment.PaymentEvent.MoneyRefunded;
import lottery.api.payment.PaymentEvent.MoneyTaken;
import lottery.api.payment.PaymentEvent.PaymentClosed;
import lottery.api.payment.PaymentEvent.PaymentDelivered;
import lottery.api.payment.PaymentEvent.PaymentOrdered;
import lottery.api.payment.PaymentEvent.ProviderAdded;
import lottery.api.payment.PaymentEvent.RefundLeftToDesk;
import lottery.api.payment.PaymentEvent.RefundOrdered;
import lottery.api.payment.Trade;
import lottery.api.payment.TradeState;
import lottery.store.projection.Projection;
import lottery.view.reconciliation.TradeProjection.TradeColumns;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.Timestamp;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/** Projects each trade to a row: the money that a provider has taken, and what has become of it. */
@Component
@ProcessingGroup(TradeProjection.GROUP)
class TradeProjection extends Projection<Trade, TradeColumns> {

    static final String GROUP = "trades";

    /**
     * The columns of a trade's row besides its key.
     *
     * @param takenAt the time by the provider's clock
     * @param refundedAt when the refund was noted; null if the money was not given back
     */
    record TradeColumns(
            String paymentId,
            String userId,
            Money money,
            Instant takenAt,
            TradeState state,
            @Nullable Instant refundedAt) {

        static TradeColumns of(MoneyTaken taken) {
            return new TradeColumns(
                    taken.paymentId().text(),
                    taken.userId().value(),
                    taken.money(),
                    taken.takenAt(),
                    TradeState.TAKEN,
                    null);
        }

        private TradeColumns in(TradeState next, @Nullable Instant refunded) {
            return new TradeColumns(paymentId, userId, money, takenAt, next, refunded);
        }
    }

    TradeProjection(JdbcOperations database) {
        super(database, "view_trade", Trade.class, TradeColumns.class);
    }

    @EventHandler
    void on(PaymentEvent event, @Timestamp Instant at) {
        switch (event) {
            case PaymentOrdered _, ProviderAdded _, PaymentClosed _ -> {}
            case MoneyTaken taken -> writeFirst(taken.trade(), TradeColumns.of(taken));
            case PaymentDelivered delivered -> move(delivered.trade(), TradeState.DELIVERED, null);
            case RefundOrdered ordered -> move(ordered.trade(), TradeState.REFUND_DUE, null);
            case RefundLeftToDesk left -> move(left.trade(), TradeState.ON_DESK, null);
            case MoneyRefunded refunded -> move(refunded.trade(), TradeState.REFUNDED, at);
        }
    }

    private void move(Trade trade, TradeState next, @Nullable Instant refundedAt) {
        change(trade, before -> {
            if (before == null) {
                throw new IllegalStateException(trade + " went on before its money was taken");
            }
            return before.in(next, refundedAt);
        });
    }
}
