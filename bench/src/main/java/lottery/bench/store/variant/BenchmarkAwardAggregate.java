package lottery.bench.store.variant;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import lottery.bench.store.variant.BenchmarkDrawFact.Won;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.jspecify.annotations.Nullable;

/** An award that begins with a draw. */
final class BenchmarkAwardAggregate {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    BenchmarkAwardAggregate() {}

    BenchmarkAwardAggregate(BenchmarkDraw draw) {
        apply(new Won(draw.award(), draw.order(), BenchmarkDrawFact.NOTE));
    }

    @EventSourcingHandler
    void on(Won event) {
        id = event.award();
    }
}
