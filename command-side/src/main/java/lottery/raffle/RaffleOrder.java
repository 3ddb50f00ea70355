package lottery.raffle;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/** One draw. Its id can be used once: that is why a repeated request cannot become a second draw. */
@Aggregate(type = "order", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
public class RaffleOrder {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    RaffleOrder() {}

    /** An order that is drawn in the same moment in which its chance is spent. */
    public RaffleOrder(RaffleDrawn drawn) {
        apply(drawn);
    }

    @EventSourcingHandler
    void on(RaffleEvent event) {
        id = switch (event) {
            case RaffleDrawn drawn -> drawn.orderId().text();
        };
    }
}
