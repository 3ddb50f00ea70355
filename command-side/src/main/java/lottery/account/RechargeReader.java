package lottery.account;

import java.util.Optional;
import lottery.api.account.RechargeEvent;
import lottery.api.account.RechargeId;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
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
        DomainEventStream history = events.readEvents(rechargeId.text());
        RechargeProgress rechargeProgress = null;
        while (history.hasNext()) {
            rechargeProgress = RechargeProgress.after(
                    rechargeProgress, (RechargeEvent) history.next().getPayload());
        }
        return Optional.ofNullable(rechargeProgress);
    }

    /** Returns the recharge as its first event made it, which is the answer to a repeated request. */
    Optional<RechargeProgress> first(RechargeId rechargeId) {
        DomainEventStream history = events.readEvents(rechargeId.text());
        return history.hasNext()
                ? Optional.of(RechargeProgress.after(
                        null, (RechargeEvent) history.next().getPayload()))
                : Optional.empty();
    }
}
