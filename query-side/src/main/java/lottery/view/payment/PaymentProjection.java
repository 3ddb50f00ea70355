package lottery.view.payment;

import java.util.Map;
import lottery.api.payment.PaymentEvent;
import lottery.api.payment.PaymentEvent.MoneyRefunded;
import lottery.api.payment.PaymentEvent.MoneyTaken;
import lottery.api.payment.PaymentEvent.PaymentClosed;
import lottery.api.payment.PaymentEvent.PaymentDelivered;
import lottery.api.payment.PaymentEvent.PaymentOrdered;
import lottery.api.payment.PaymentEvent.ProviderAdded;
import lottery.api.payment.PaymentEvent.RefundLeftToDesk;
import lottery.api.payment.PaymentEvent.RefundOrdered;
import lottery.api.payment.PaymentState;
import lottery.api.payment.Trade;
import lottery.api.payment.TradeState;
import lottery.store.projection.Projection;
import lottery.view.payment.PaymentProjection.PaymentColumns;
import lottery.view.payment.PaymentProjection.PaymentRowKey;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.TrackingToken;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/** Projects the order and the states of payments. Their other facts are read from the log. */
@Component
@ProcessingGroup(PaymentProjection.GROUP)
class PaymentProjection extends Projection<PaymentRowKey, PaymentColumns> {

    static final String GROUP = "payments";

    record PaymentRowKey(String paymentId) {}

    /**
     * The columns of a payment's row besides its key.
     *
     * @param firstPosition the position of its first event, by which payments are listed
     * @param trades the states of its trades, as text
     */
    record PaymentColumns(
            long activityId, String userId, long firstPosition, PaymentState state, boolean closed, String trades) {

        static PaymentColumns after(@Nullable PaymentColumns before, PaymentEvent event, long position) {
            if (event instanceof PaymentOrdered ordered) {
                return new PaymentColumns(
                        ordered.activityId().value(),
                        ordered.userId().value(),
                        position,
                        PaymentState.WAITING,
                        false,
                        "");
            }
            if (before == null) {
                throw new IllegalStateException(event.paymentId() + " went on before it was ordered");
            }
            return switch (event) {
                case PaymentOrdered _, ProviderAdded _ -> before;
                case PaymentClosed _ -> before.with(true, before.trades);
                case MoneyTaken taken -> before.with(taken.trade(), TradeState.TAKEN);
                case PaymentDelivered delivered -> before.with(delivered.trade(), TradeState.DELIVERED);
                case RefundOrdered ordered -> before.with(ordered.trade(), TradeState.REFUND_DUE);
                case MoneyRefunded refunded -> before.with(refunded.trade(), TradeState.REFUNDED);
                case RefundLeftToDesk left -> before.with(left.trade(), TradeState.ON_DESK);
            };
        }

        private PaymentColumns with(Trade trade, TradeState next) {
            Map<String, TradeState> states = TradeStatesCodec.decode(trades);
            states.put(trade.toString(), next);
            return with(closed, TradeStatesCodec.encode(states));
        }

        private PaymentColumns with(boolean isClosed, String states) {
            return new PaymentColumns(
                    activityId,
                    userId,
                    firstPosition,
                    PaymentState.of(isClosed, TradeStatesCodec.decode(states).values()),
                    isClosed,
                    states);
        }
    }

    PaymentProjection(JdbcOperations database) {
        super(database, "view_payment", PaymentRowKey.class, PaymentColumns.class);
    }

    @EventHandler
    void on(PaymentEvent event, TrackingToken token) {
        long position = token.position().orElseThrow();
        change(new PaymentRowKey(event.paymentId().text()), before -> PaymentColumns.after(before, event, position));
    }
}
