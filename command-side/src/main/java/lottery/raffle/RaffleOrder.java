package lottery.raffle;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.RequestAnswered;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.ConcurrencyException;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * One order, from the chance that it cost to its outcome. Its id can be used once: that is why a repeated request
 * cannot become a second draw. The account decides about it, since it knows which order is open; {@link Orders} passes
 * that on.
 */
@Aggregate(type = "order", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class RaffleOrder {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private boolean open;

    RaffleOrder() {}

    /** However it begins: left for later, drawn at once, or as the answer to a request, which takes up its id. */
    RaffleOrder(RaffleEvent first) {
        apply(first);
    }

    /** The account that ends it takes it for open; where it is not, another node has been faster. */
    void end(RaffleEvent last) {
        if (!open) {
            throw new ConcurrencyException(id + " was ended elsewhere, and its account as it is known here is too old");
        }
        apply(last);
    }

    @EventSourcingHandler
    void on(RaffleEvent event) {
        id = event.orderId().text();
        open = switch (event) {
            case RaffleOrderCreated _ -> true;
            case RaffleDrawn _, RaffleOrderCancelled _, RequestAnswered _ -> false;
        };
    }
}
