package lottery.account;

import java.util.Optional;
import lottery.api.account.RechargeEvent;
import lottery.api.account.RechargeId;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/** Recharges that were made, read from what happened. */
@Component
class Recharges {

    private final EventStore events;

    Recharges(EventStore events) {
        this.events = events;
    }

    /** As it is now. */
    Optional<Slip> find(RechargeId rechargeId) {
        DomainEventStream history = events.readEvents(rechargeId.text());
        Slip slip = null;
        while (history.hasNext()) {
            slip = Slip.after(slip, (RechargeEvent) history.next().getPayload());
        }
        return Optional.ofNullable(slip);
    }

    /** As it was when it began: the answer to whoever asks for the same again. */
    Optional<Slip> first(RechargeId rechargeId) {
        DomainEventStream history = events.readEvents(rechargeId.text());
        return history.hasNext()
                ? Optional.of(Slip.after(null, (RechargeEvent) history.next().getPayload()))
                : Optional.empty();
    }
}
