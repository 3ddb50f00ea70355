package lottery.journey.grant;

import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardWon;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.modelling.saga.EndSaga;
import org.axonframework.modelling.saga.SagaEventHandler;
import org.axonframework.modelling.saga.StartSaga;
import org.axonframework.spring.stereotype.Saga;

/**
 * One won award on its way to its user: the invoice goes out, and the journey lasts until fulfilment has answered.
 *
 * <p>It finds its events by the text of the award record's id. Each event may come again after a crash: what it does
 * then has the same effect as before.
 */
@Saga
@ProcessingGroup("grants")
public class GrantSaga {

    private static final String AWARD_RECORD_ID = "awardRecordId";

    @SuppressWarnings("unused") // Kept in the store, where a person or a sweep looks for journeys that are late.
    private Step step = Step.INVOICED;

    private int attempt = 1;

    /** How far the journey is, as far as it knows: an answer may come before the dispatch was noted. */
    private enum Step {
        INVOICED,
        DISPATCHED
    }

    public GrantSaga() {}

    @StartSaga
    @SagaEventHandler(associationProperty = AWARD_RECORD_ID)
    void on(AwardWon won, Invoices invoices, Dispatches dispatches, CommandGateway commands) {
        invoices.send(Invoice.of(won, attempt).letter(won.wonAt()));
        dispatches.confirmAfterCommit(won.awardRecordId(), commands);
    }

    @SagaEventHandler(associationProperty = AWARD_RECORD_ID)
    void on(AwardDispatched dispatched) {
        step = Step.DISPATCHED;
    }

    @EndSaga
    @SagaEventHandler(associationProperty = AWARD_RECORD_ID)
    void on(AwardGranted granted) {}

    @EndSaga
    @SagaEventHandler(associationProperty = AWARD_RECORD_ID)
    void on(AwardGrantRejected rejected) {}
}
