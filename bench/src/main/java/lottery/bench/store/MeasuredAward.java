package lottery.bench.store;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import lottery.bench.store.DrawFact.Won;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.jspecify.annotations.Nullable;

/** An award that begins with a draw. */
final class MeasuredAward {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    MeasuredAward() {}

    MeasuredAward(MeasuredDraw draw) {
        apply(new Won(draw.award(), draw.order(), DrawFact.NOTE));
    }

    @EventSourcingHandler
    void on(Won event) {
        id = event.award();
    }
}
