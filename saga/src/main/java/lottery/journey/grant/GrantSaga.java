package lottery.journey.grant;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.store.saga.Due;
import lottery.store.saga.WhenDue;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.modelling.saga.EndSaga;
import org.axonframework.modelling.saga.SagaEventHandler;
import org.axonframework.modelling.saga.StartSaga;
import org.axonframework.spring.stereotype.Saga;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One won award on its way to its user: the invoice goes out, and the journey lasts until fulfilment has answered.
 * Where it does not answer it is asked again, a few times.
 *
 * <p>It finds its events by the text of the award record's id. Each event may come again after a crash: what it does
 * then has the same effect as before.
 */
@Saga
@ProcessingGroup("grants")
public class GrantSaga implements Due {

    private static final Logger LOG = LoggerFactory.getLogger(GrantSaga.class);

    private static final String AWARD_RECORD_ID = "awardRecordId";

    /** Fulfilment answers within seconds, and its own attempts are over by then. Each further wait is twice as long. */
    private static final Duration ANSWER_WAIT = Duration.ofMinutes(1);

    /** With these half an hour has gone by: what is wrong then needs a person. */
    private static final int ATTEMPTS_MAX = 5;

    @SuppressWarnings("unused") // Kept in the store, where a person looks for journeys that are late.
    private Step step = Step.INVOICED;

    private @Nullable Invoice invoice;

    private @Nullable Instant answerDueAt;

    /** How far the journey is, as far as it knows: an answer may come before the dispatch was noted. */
    private enum Step {
        INVOICED,
        DISPATCHED
    }

    public GrantSaga() {}

    /** Null when nobody is asked any more. */
    @Override
    public @Nullable Instant dueAt() {
        return answerDueAt;
    }

    @StartSaga
    @SagaEventHandler(associationProperty = AWARD_RECORD_ID)
    void on(AwardWon won, InstantSource clock, Invoices invoices, Dispatches dispatches, CommandGateway commands) {
        Invoice first = Invoice.of(won, 1);
        invoices.send(first.letter(won.wonAt()));
        dispatches.confirmAfterCommit(won.awardRecordId(), commands);
        if (invoice == null) {
            invoice = first;
            answerDueAt = clock.instant().plus(ANSWER_WAIT);
        }
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

    @WhenDue
    void askAgain(Instant now, Invoices invoices) {
        Invoice unanswered = Objects.requireNonNull(invoice);
        if (unanswered.attempt() == ATTEMPTS_MAX) {
            LOG.warn("{} has no answer of fulfilment after {} invoices", unanswered.awardRecordId(), ATTEMPTS_MAX);
            answerDueAt = null;
            return;
        }
        Invoice next = unanswered.again();
        // The time at which it was due, not this one: an attempt that is made twice is the same letter.
        invoices.send(next.letter(Objects.requireNonNull(answerDueAt)));
        invoice = next;
        answerDueAt = now.plus(ANSWER_WAIT.multipliedBy(1L << (next.attempt() - 1)));
    }
}
