package lottery.journey.grant;

import java.time.Instant;
import lottery.journey.letter.Outbox;
import org.springframework.stereotype.Component;

/**
 * Where the invoices of a batch of events go: to who hands the award over in this process, or to the broker. They leave
 * one after another without waiting, since each is of an award of its own.
 */
@Component
final class Invoices {

    private final DirectHandover direct;
    private final Outbox outbox;

    Invoices(DirectHandover direct, Outbox outbox) {
        this.direct = direct;
        this.outbox = outbox;
    }

    /** @param sender is told what became of its letter, or why the award could not be handed over */
    void send(Invoice invoice, Instant time, Outbox.Sender sender) {
        if (direct.isFor(invoice)) {
            direct.handOver(invoice.traced(), sender::refused);
        } else {
            outbox.send(invoice.letter(time), sender);
        }
    }
}
