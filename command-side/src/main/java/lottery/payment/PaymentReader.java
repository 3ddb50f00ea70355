package lottery.payment;

import java.util.Optional;
import lottery.api.payment.PaymentEvent;
import lottery.api.payment.PaymentId;
import lottery.api.payment.PaymentProgress;
import lottery.store.axon.EventStreams;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/** Reads payments from their events. */
@Component
class PaymentReader {

    private final EventStore events;

    PaymentReader(EventStore events) {
        this.events = events;
    }

    Optional<PaymentProgress> find(PaymentId paymentId) {
        return EventStreams.<PaymentProgress, PaymentEvent>fold(events, paymentId.text(), PaymentProgress::after);
    }
}
