package lottery.bench.store;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;
import static org.axonframework.modelling.command.AggregateLifecycle.createNew;

import lottery.bench.store.Fact.Opened;
import lottery.bench.store.Fact.Pinged;
import lottery.bench.store.Fact.Spent;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.jspecify.annotations.Nullable;

/** Exists before the measurement and is kept in memory, as in the lottery. */
final class Account {

    record Open(String account) {}

    record Ping(String account, int number) {}

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private int spent;

    Account() {}

    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.ALWAYS)
    void handle(Open open) {
        apply(new Opened(open.account(), 1_000_000));
    }

    @CommandHandler
    void handle(Draw draw) throws Exception {
        apply(new Spent(draw.account(), draw.order(), spent + 1, Fact.NOTE));
        createNew(Order.class, () -> new Order(draw));
        createNew(Award.class, () -> new Award(draw));
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
