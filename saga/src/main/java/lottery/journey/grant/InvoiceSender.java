package lottery.journey.grant;

import java.time.Instant;
import java.util.function.Consumer;
import lottery.messaging.BatchPublisher;
import lottery.messaging.invoice.Invoice;
import org.springframework.stereotype.Component;

/**
 * Where the invoices of a batch of events go: to who hands the award over in this process, or to the broker. They leave
 * one after another without waiting, since each is of an award of its own.
 */
@Component
final class InvoiceSender {

    private final DirectHandover direct;
    private final BatchPublisher outbox;

    InvoiceSender(DirectHandover direct, BatchPublisher outbox) {
        this.direct = direct;
        this.outbox = outbox;
    }

    /** @param failed is told, with the unit of work, why the award cannot be handed over, or the invoice not be sent */
    void send(Invoice invoice, Instant time, Consumer<String> failed) {
        if (direct.isFor(invoice)) {
            direct.handOver(invoice.traced(), failed);
        } else {
            outbox.send(invoice.outgoing(time), failed);
        }
    }
}
