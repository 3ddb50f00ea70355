package lottery.saga.grant;

import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.award.AwardEvent.AwardClaimed;
import lottery.api.award.AwardProgress;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.messaging.AsyncMessagePublisher;
import lottery.messaging.UnreadableMessageException;
import lottery.messaging.invoice.AwardProgressLogReader;
import lottery.messaging.invoice.Invoice;
import lottery.store.vault.PersonalTexts;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Sends an invoice again at an operator's request, if fulfilment has not handed the award over. The invoice is built
 * from the award's events, like the invoices of the saga. The saga neither sends nor counts this invoice. It need not,
 * because fulfilment's answer goes to the award record.
 */
@Component
public final class OperatorInvoiceResender {

    private static final Logger LOG = LoggerFactory.getLogger(OperatorInvoiceResender.class);

    /**
     * How long to wait until an invoice has reached the broker. This is a little longer than the timeout of the
     * broker's client.
     */
    private static final long ARRIVAL_MAX_SECONDS = 9;

    private final AwardProgressLogReader history;
    private final DirectHandover direct;
    private final AsyncMessagePublisher publisher;
    private final PersonalTexts texts;
    private final InstantSource clock;

    OperatorInvoiceResender(
            AwardProgressLogReader history,
            DirectHandover direct,
            AsyncMessagePublisher publisher,
            PersonalTexts texts,
            InstantSource clock) {
        this.history = history;
        this.direct = direct;
        this.publisher = publisher;
        this.texts = texts;
        this.clock = clock;
    }

    /**
     * Sends an invoice, and waits until the broker has it. This changes nothing about the award. An award that this
     * process can hand over directly is handed over instead.
     *
     * @param number the number of the resent invoice of this award, counted from 1; the same number is the same message
     */
    public Answer<AwardState> send(AwardRecordId id, int number) {
        return history.find(id)
                .map(progress -> progress.canBeAskedAgain()
                        ? sent(progress, number)
                        : Answer.<AwardState>no(
                                new Refused(Refusal.AWARD_STATE, id.text() + " (" + progress.state() + ")")))
                .orElseGet(() -> Answer.no(new Refused(Refusal.NOT_FOUND, id.text())));
    }

    private Answer<AwardState> sent(AwardProgress asked, int number) {
        return invoice(asked, number)
                .map(invoice -> direct.isFor(invoice) ? handedOver(invoice) : invoiced(invoice, asked.state()))
                .orElseGet(() -> Answer.no(new Refused(
                        Refusal.AWARD_STATE, asked.won().awardRecordId().text() + ", its address was erased")));
    }

    private Answer<AwardState> handedOver(Invoice invoice) {
        AwardRecordId id = invoice.awardRecordId();
        try {
            direct.handOverNow(invoice);
            return Answer.done(history.find(id).orElseThrow().state());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnreadableMessageException why) {
                return Answer.no(new Refused(Refusal.AWARD_STATE, id.text() + ", " + why.getMessage()));
            }
            LOG.warn(
                    "The award {} could not be handed over again: {}. The operator is answered BUSY and can try again.",
                    id.text(),
                    String.valueOf(e.getCause()));
        } catch (TimeoutException e) {
            LOG.warn(
                    "The award {} was not handed over again in time. The operator is answered BUSY and can try again.",
                    id.text());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Answer.no(new Refused(Refusal.BUSY, id.text()));
    }

    private Answer<AwardState> invoiced(Invoice invoice, AwardState state) {
        AwardRecordId id = invoice.awardRecordId();
        try {
            publisher.send(invoice.outgoing(clock.instant()).traced()).get(ARRIVAL_MAX_SECONDS, TimeUnit.SECONDS);
            return Answer.done(state);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException
                | TimeoutException
                | org.springframework.kafka.KafkaException
                | KafkaException
                | IllegalStateException e) {
            // Spring passes on exceptions of the producer itself, for example because it was closed.
            LOG.warn(
                    "The invoice of award {} could not be sent again: {}. The operator is answered BUSY and can try again.",
                    id.text(),
                    e.toString());
        }
        return Answer.no(new Refused(Refusal.BUSY, id.text()));
    }

    /**
     * Builds the invoice; empty if its address was erased. The invoice has a higher number than all invoices of the
     * saga, so that it is not taken for a copy of one of them.
     */
    private Optional<Invoice> invoice(AwardProgress asked, int number) {
        Invoice invoice = Invoice.of(asked.won(), AwardGrantSagaState.INVOICES_MAX + number);
        AwardClaimed claim = asked.claim();
        return claim == null
                ? Optional.of(invoice)
                : claim.addressBy(texts::open).map(invoice::to);
    }
}
