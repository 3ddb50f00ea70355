package lottery.bench.store.variant;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import lottery.bench.store.variant.BenchmarkDrawFact.Drawn;
import lottery.bench.store.variant.BenchmarkDrawFact.Ordered;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.jspecify.annotations.Nullable;

/** An order that begins with a draw. */
final class BenchmarkRaffleOrderAggregate {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    BenchmarkRaffleOrderAggregate() {}

    BenchmarkRaffleOrderAggregate(BenchmarkDraw draw) {
        apply(new Ordered(draw.order(), draw.account(), BenchmarkDrawFact.NOTE));
        apply(new Drawn(draw.order(), draw.award(), 7, BenchmarkDrawFact.NOTE));
    }

    @EventSourcingHandler
    void on(Ordered event) {
        id = event.order();
    }
}
