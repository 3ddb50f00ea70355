package lottery.bench.store;

import lottery.store.AggregateCache;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.common.lock.PessimisticLockFactory;
import org.axonframework.config.AggregateConfigurer;
import org.axonframework.config.Configurer;
import org.axonframework.modelling.command.VersionedAggregateIdentifier;

/** The same aggregates, kept and found in the same way, for every contender that is an engine of Axon's. */
final class Aggregates {

    private Aggregates() {}

    static void register(Configurer configurer) {
        configurer
                .configureAggregate(AggregateConfigurer.defaultConfiguration(Account.class)
                        .configureCache(axon -> new AggregateCache(
                                2L * Draw.ACCOUNTS, id -> axon.eventStore().lastSequenceNumberFor(id)))
                        .configureLockFactory(axon -> PessimisticLockFactory.usingDefaults())
                        .configureCommandTargetResolver(axon -> Aggregates::target))
                .configureAggregate(Order.class)
                .configureAggregate(Award.class);
    }

    /** Axon's own resolver looks for annotations each time, which is no matter of engines. */
    private static VersionedAggregateIdentifier target(CommandMessage<?> command) {
        Object account = switch (command.getPayload()) {
            case Draw draw -> draw.account();
            case Account.Open open -> open.account();
            case Account.Ping ping -> ping.account();
            default -> throw new IllegalArgumentException(command.getCommandName());
        };
        return new VersionedAggregateIdentifier(account, null);
    }
}
