package lottery.bench.store.variant;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;
import static org.axonframework.modelling.command.AggregateLifecycle.createNew;

import lottery.bench.store.variant.BenchmarkDrawFact.Opened;
import lottery.bench.store.variant.BenchmarkDrawFact.Pinged;
import lottery.bench.store.variant.BenchmarkDrawFact.Spent;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.jspecify.annotations.Nullable;

/** An account that exists before the measurement and is kept in the cache, as in the lottery. */
final class BenchmarkAccountAggregate {

    record Open(String account) {}

    record Ping(String account, int number) {}

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private int spent;

    BenchmarkAccountAggregate() {}

    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.ALWAYS)
    void handle(Open open) {
        apply(new Opened(open.account(), 1_000_000));
    }

    @CommandHandler
    void handle(BenchmarkDraw draw) throws Exception {
        apply(new Spent(draw.account(), draw.order(), spent + 1, BenchmarkDrawFact.NOTE));
        createNew(BenchmarkRaffleOrderAggregate.class, () -> new BenchmarkRaffleOrderAggregate(draw));
        createNew(BenchmarkAwardAggregate.class, () -> new BenchmarkAwardAggregate(draw));
    }

    @CommandHandler
    void handle(Ping ping) {
        apply(new Pinged(ping.account(), ping.number()));
    }

    @EventSourcingHandler
    void on(Opened opened) {
        id = opened.account();
    }

    @EventSourcingHandler
    void on(Spent event) {
        spent = event.spent();
    }
}
