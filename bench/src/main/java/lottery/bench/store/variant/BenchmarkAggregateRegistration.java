package lottery.bench.store.variant;

import lottery.store.AggregateCache;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.common.lock.PessimisticLockFactory;
import org.axonframework.config.AggregateConfigurer;
import org.axonframework.config.Configurer;
import org.axonframework.modelling.command.VersionedAggregateIdentifier;

/** Registers the same aggregates, with the same cache, locks and routing, for every contender that uses Axon. */
final class BenchmarkAggregateRegistration {

    private BenchmarkAggregateRegistration() {}

    static void register(Configurer configurer) {
        configurer
                .configureAggregate(AggregateConfigurer.defaultConfiguration(BenchmarkAccountAggregate.class)
                        .configureCache(axon -> new AggregateCache(
                                2L * BenchmarkDraw.ACCOUNTS,
                                id -> axon.eventStore().lastSequenceNumberFor(id)))
                        .configureLockFactory(axon -> PessimisticLockFactory.usingDefaults())
                        .configureCommandTargetResolver(axon -> BenchmarkAggregateRegistration::target))
                .configureAggregate(BenchmarkRaffleOrderAggregate.class)
                .configureAggregate(BenchmarkAwardAggregate.class);
    }

    /**
     * Returns the account of a command. Axon's own resolver searches for annotations each time, and that work is not
     * part of the measured engines.
     */
    private static VersionedAggregateIdentifier target(CommandMessage<?> command) {
        Object account = switch (command.getPayload()) {
            case BenchmarkDraw draw -> draw.account();
            case BenchmarkAccountAggregate.Open open -> open.account();
            case BenchmarkAccountAggregate.Ping ping -> ping.account();
            default -> throw new IllegalArgumentException(command.getCommandName());
        };
        return new VersionedAggregateIdentifier(account, null);
    }
}
