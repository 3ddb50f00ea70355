package lottery.bench.store;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import lottery.bench.store.Fact.Drawn;
import lottery.bench.store.Fact.Ordered;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.jspecify.annotations.Nullable;

/** Begins with each draw. */
final class Order {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    Order() {}

    Order(Draw draw) {
        apply(new Ordered(draw.order(), draw.account(), Fact.NOTE));
        apply(new Drawn(draw.order(), draw.award(), 7, Fact.NOTE));
    }

    @EventSourcingHandler
    void on(Ordered event) {
        id = event.order();
    }
}
