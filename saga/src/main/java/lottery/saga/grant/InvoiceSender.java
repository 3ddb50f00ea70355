package lottery.saga.grant;

import java.time.Instant;
import java.util.function.Consumer;
import lottery.messaging.BatchPublisher;
import lottery.messaging.invoice.Invoice;
import org.springframework.stereotype.Component;

/**
 * Sends the invoices of a batch of events: to a fulfiller of this process, or to the broker. They are sent without
 * waiting for each other, because each one is about another award.
 */
@Component
final class InvoiceSender {

    private final DirectHandover direct;
    private final BatchPublisher batchPublisher;

    InvoiceSender(DirectHandover direct, BatchPublisher batchPublisher) {
        this.direct = direct;
        this.batchPublisher = batchPublisher;
    }

    /** @param failed gets the reason, with the unit of work, if the handover fails or the invoice cannot be sent */
    void send(Invoice invoice, Instant time, Consumer<String> failed) {
        if (direct.isFor(invoice)) {
            direct.handOver(invoice.traced(), failed);
        } else {
            batchPublisher.send(invoice.outgoing(time), failed);
        }
    }
}
