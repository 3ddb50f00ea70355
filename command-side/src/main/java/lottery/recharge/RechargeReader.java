package lottery.recharge;

import java.util.Optional;
import lottery.api.account.RechargeEvent;
import lottery.api.account.RechargeId;
import lottery.store.axon.EventStreams;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/** Reads recharges from their events. */
@Component
class RechargeReader {

    private final EventStore events;

    RechargeReader(EventStore events) {
        this.events = events;
    }

    /** Returns the recharge as it is now. */
    Optional<RechargeProgress> find(RechargeId rechargeId) {
        return EventStreams.fold(events, rechargeId.text(), RechargeProgress::after);
    }

    /** Returns the recharge as its first event made it, which is the answer to a repeated request. */
    Optional<RechargeProgress> first(RechargeId rechargeId) {
        return EventStreams.<RechargeEvent>first(events, rechargeId.text())
                .map(event -> RechargeProgress.after(null, event));
    }
}
