package lottery.journey.grant;

import lottery.journey.letter.Letter;
import lottery.journey.letter.Outbox;
import org.springframework.stereotype.Component;

/** The invoices of a batch of events. They leave one after another without waiting: each is of an award of its own. */
@Component
final class Invoices {

    private final Outbox outbox;

    Invoices(Outbox outbox) {
        this.outbox = outbox;
    }

    void send(Letter invoice, Outbox.Sender sender) {
        outbox.send(invoice, sender);
    }
}
