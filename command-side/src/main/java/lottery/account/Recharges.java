package lottery.account;

import java.util.Optional;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeEvent;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.account.RechargeId;
import lottery.api.account.Recharged;
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

    Optional<Recharged> find(RechargeId rechargeId) {
        DomainEventStream history = events.readEvents(rechargeId.text());
        Optional<Recharged> recharge = Optional.empty();
        while (history.hasNext()) {
            recharge = switch ((RechargeEvent) history.next().getPayload()) {
                case RechargeOrdered ordered -> Optional.of(answer(ordered));
                case RechargeCompleted _ -> recharge;
            };
        }
        return recharge;
    }

    static Recharged answer(RechargeOrdered ordered) {
        return new Recharged(
                ordered.rechargeId(),
                new AccountId(ordered.activityId(), ordered.userId()),
                ordered.sku(),
                Recharged.State.COMPLETED,
                ordered.bundle());
    }
}
