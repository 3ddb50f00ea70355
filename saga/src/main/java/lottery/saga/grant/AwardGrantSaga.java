package lottery.saga.grant;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import lottery.api.award.AwardCommand.FailDispatch;
import lottery.api.award.AwardEvent;
import lottery.api.award.AwardEvent.AwardAddressErased;
import lottery.api.award.AwardEvent.AwardClaimed;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardDispatchFailed;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardLeftToDesk;
import lottery.api.award.AwardEvent.AwardReleased;
import lottery.api.award.AwardEvent.AwardVoided;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.messaging.invoice.Invoice;
import lottery.saga.command.SagaCommands;
import lottery.store.saga.SagaDueHandler;
import lottery.store.saga.SagaWithDueTime;
import lottery.store.trace.TraceId;
import lottery.store.vault.PersonalTexts;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.modelling.saga.EndSaga;
import org.axonframework.modelling.saga.SagaEventHandler;
import org.axonframework.modelling.saga.SagaLifecycle;
import org.axonframework.modelling.saga.StartSaga;
import org.axonframework.spring.stereotype.Saga;
import org.jspecify.annotations.Nullable;

/**
 * Leads a won award to its user. It waits for the award's time, sends the invoice, and ends when the award is granted,
 * compensated or forfeited. If fulfilment does not answer, it sends a few more invoices, and then leaves the award to
 * the desk.
 *
 * <p>An award that was granted in the commit of its win has no saga.
 *
 * <p>The saga is associated with its events by the text of the award record's id. It decides nothing about the record.
 * It sends commands, and learns their effects from events.
 */
@Saga
@ProcessingGroup("grants")
public class AwardGrantSaga implements SagaWithDueTime {

    private static final String AWARD_RECORD_ID = "awardRecordId";

    /** The state is stored under the name of this field. */
    private @Nullable AwardGrantSagaState handover;

    /** The trace id of the request that won the award; null if the event of the win has none. */
    private @Nullable String traceId;

    public AwardGrantSaga() {}

    @Override
    public @Nullable Instant dueAt() {
        return handover == null ? null : handover.dueAt();
    }

    @Override
    public int attempts() {
        return handover == null || handover.dueAt() == null ? 0 : handover.asked();
    }

    @StartSaga
    @SagaEventHandler(associationProperty = AWARD_RECORD_ID)
    void on(
            AwardWon won,
            InstantSource clock,
            InvoiceSender invoices,
            PersonalTexts texts,
            SagaCommands sagaCommands,
            OperatorQueue operatorQueue,
            CommandGateway gateway) {
        if (won.grantReference() != null) {
            SagaLifecycle.end();
        } else if (handover == null) {
            AwardGrantSagaState begun = AwardGrantSagaState.of(won, clock.instant());
            traceId = TraceId.current().map(TraceId::text).orElse(null);
            proceed(begun, won.wonAt(), invoices, texts, sagaCommands, gateway);
            if (begun.step() == AwardGrantSagaState.AwardGrantStep.RELEASE) {
                operatorQueue.note(
                        begun.invoice(),
                        AwardAwaitingOperator.WaitsFor.RELEASE,
                        won.wonAt(),
                        "it is handed over by hand");
            }
        }
    }

    @SagaEventHandler(associationProperty = AWARD_RECORD_ID)
    void on(
            AwardEvent event,
            InstantSource clock,
            InvoiceSender invoices,
            PersonalTexts texts,
            SagaCommands sagaCommands,
            OperatorQueue operatorQueue,
            CommandGateway gateway) {
        Instant now = clock.instant();
        AwardGrantSagaState before = Objects.requireNonNull(handover);
        proceed(before.after(event, now), now, invoices, texts, sagaCommands, gateway);
        tell(event, now, operatorQueue);
    }

    /**
     * Adds the award to the operator queue if the event leaves a decision to an operator. Removes it if an operator has
     * released the award.
     */
    private void tell(AwardEvent event, Instant now, OperatorQueue operatorQueue) {
        Invoice invoice = Objects.requireNonNull(handover).invoice();
        switch (event) {
            case AwardReleased _ -> operatorQueue.remove(event.awardRecordId());
            case AwardGrantRejected rejected ->
                operatorQueue.note(
                        invoice,
                        AwardAwaitingOperator.WaitsFor.PERSON,
                        now,
                        "fulfilment has rejected it (" + rejected.reference() + "): " + rejected.reason());
            case AwardLeftToDesk left ->
                operatorQueue.note(invoice, AwardAwaitingOperator.WaitsFor.PERSON, now, left.reason());
            case AwardWon _, AwardClaimed _, AwardAddressErased _ -> {}
            case AwardDispatched _, AwardDispatchFailed _ -> {}
            case AwardGranted _, AwardCompensated _, AwardForfeited _, AwardVoided _ -> {}
        }
    }

    @EndSaga
    @SagaEventHandler(associationProperty = AWARD_RECORD_ID)
    void on(AwardGranted granted, OperatorQueue operatorQueue) {
        over(granted, operatorQueue);
    }

    @EndSaga
    @SagaEventHandler(associationProperty = AWARD_RECORD_ID)
    void on(AwardCompensated compensated, OperatorQueue operatorQueue) {
        over(compensated, operatorQueue);
    }

    @EndSaga
    @SagaEventHandler(associationProperty = AWARD_RECORD_ID)
    void on(AwardForfeited forfeited, OperatorQueue operatorQueue) {
        over(forfeited, operatorQueue);
    }

    @EndSaga
    @SagaEventHandler(associationProperty = AWARD_RECORD_ID)
    void on(AwardVoided voided, OperatorQueue operatorQueue) {
        over(voided, operatorQueue);
    }

    private void over(AwardEvent event, OperatorQueue operatorQueue) {
        if (Objects.requireNonNull(handover).needsPerson()) {
            operatorQueue.remove(event.awardRecordId());
        }
    }

    @SagaDueHandler
    void goOn(
            Instant now,
            InvoiceSender invoices,
            PersonalTexts texts,
            SagaCommands sagaCommands,
            CommandGateway gateway) {
        AwardGrantSagaState waited = Objects.requireNonNull(handover);
        // The time of the invoice is the due time instead of the current time, so that an invoice that is made twice is
        // the same message.
        Instant due = Objects.requireNonNullElse(waited.dueAt(), now);
        try (var _ =
                TraceId.open(Optional.ofNullable(traceId).flatMap(TraceId::of).orElse(null))) {
            proceed(waited.due(now), due, invoices, texts, sagaCommands, gateway);
            handover.commands().forEach(command -> sagaCommands.sendAfterCommit(command, gateway));
        }
    }

    /**
     * Stores the next state. If this state counts one more invoice than before, the invoice is sent. If the invoice
     * cannot be sent, a command tells the award record the reason. An invoice whose address was erased is neither sent
     * nor counted.
     */
    private void proceed(
            AwardGrantSagaState next,
            Instant time,
            InvoiceSender invoices,
            PersonalTexts texts,
            SagaCommands sagaCommands,
            CommandGateway gateway) {
        AwardGrantSagaState before = handover;
        handover = next;
        if (next.sent() == (before == null ? 0 : before.sent())) {
            return;
        }
        next.invoiceBy(texts::open)
                .ifPresentOrElse(
                        invoice -> invoices.send(
                                invoice,
                                time,
                                why -> sagaCommands.sendAfterCommit(
                                        new FailDispatch(invoice.awardRecordId(), invoice.attempt(), why), gateway)),
                        () -> handover = Objects.requireNonNull(before).addressErased(time));
    }
}
