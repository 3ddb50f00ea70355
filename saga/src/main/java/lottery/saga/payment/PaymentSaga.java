package lottery.saga.payment;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import lottery.api.payment.PaymentCommand.SettlePayment;
import lottery.api.payment.PaymentEvent;
import lottery.api.payment.PaymentEvent.MoneyTaken;
import lottery.api.payment.PaymentEvent.PaymentOrdered;
import lottery.api.payment.PaymentEvent.RefundOrdered;
import lottery.api.payment.PaymentId;
import lottery.api.payment.PaymentProgress;
import lottery.saga.command.SagaCommands;
import lottery.store.axon.EventStreams;
import lottery.store.saga.SagaDueHandler;
import lottery.store.saga.SagaWithDueTime;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.modelling.saga.SagaEventHandler;
import org.axonframework.modelling.saga.SagaLifecycle;
import org.axonframework.modelling.saga.StartSaga;
import org.axonframework.spring.stereotype.Saga;
import org.jspecify.annotations.Nullable;

/**
 * Settles a payment: its provider is asked for the money, the SKU is delivered, and other money is given back. The saga
 * decides nothing. It repeats one command until the log says that nothing is due. Money that comes later starts it
 * again.
 */
@Saga
// With the recharges, because a process of an older version gives up a position where it finds an event of a payment.
@ProcessingGroup("recharges")
public class PaymentSaga implements SagaWithDueTime {

    private static final String PAYMENT_ID = "paymentId";

    private @Nullable PaymentSagaState unsettled;

    public PaymentSaga() {}

    @Override
    public @Nullable Instant dueAt() {
        return unsettled == null ? null : unsettled.dueAt();
    }

    @Override
    public int attempts() {
        return unsettled == null ? 0 : unsettled.attempts();
    }

    @StartSaga
    @SagaEventHandler(associationProperty = PAYMENT_ID)
    void on(PaymentOrdered ordered, InstantSource clock) {
        if (unsettled == null) {
            unsettled = PaymentSagaState.of(ordered, clock.instant());
        }
    }

    @StartSaga
    @SagaEventHandler(associationProperty = PAYMENT_ID)
    void on(MoneyTaken taken, InstantSource clock, SagaCommands sagaCommands, CommandGateway gateway) {
        settleSoon(taken.paymentId(), clock.instant(), sagaCommands, gateway);
    }

    @StartSaga
    @SagaEventHandler(associationProperty = PAYMENT_ID)
    void on(RefundOrdered ordered, InstantSource clock, SagaCommands sagaCommands, CommandGateway gateway) {
        settleSoon(ordered.paymentId(), clock.instant(), sagaCommands, gateway);
    }

    private void settleSoon(PaymentId paymentId, Instant now, SagaCommands sagaCommands, CommandGateway gateway) {
        sagaCommands.sendAfterCommit(new SettlePayment(paymentId), gateway);
        unsettled = PaymentSagaState.withMoney(paymentId, now);
    }

    @SagaDueHandler
    void settle(Instant now, EventStore events, SagaCommands sagaCommands, CommandGateway gateway) {
        PaymentSagaState due = Objects.requireNonNull(unsettled);
        Optional<PaymentProgress> payment = EventStreams.<PaymentProgress, PaymentEvent>fold(
                events, due.paymentId().text(), PaymentProgress::after);
        if (payment.filter(PaymentProgress::isSettled).isPresent()) {
            SagaLifecycle.end();
            return;
        }
        sagaCommands.sendAfterCommit(new SettlePayment(due.paymentId()), gateway);
        unsettled = due.asked(now);
    }
}
