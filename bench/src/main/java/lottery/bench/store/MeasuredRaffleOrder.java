package lottery.bench.store;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import lottery.bench.store.DrawFact.Drawn;
import lottery.bench.store.DrawFact.Ordered;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.jspecify.annotations.Nullable;

/** An order that begins with a draw. */
final class MeasuredRaffleOrder {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    MeasuredRaffleOrder() {}

    MeasuredRaffleOrder(MeasuredDraw draw) {
        apply(new Ordered(draw.order(), draw.account(), DrawFact.NOTE));
        apply(new Drawn(draw.order(), draw.award(), 7, DrawFact.NOTE));
    }

    @EventSourcingHandler
    void on(Ordered event) {
        id = event.order();
    }
}
