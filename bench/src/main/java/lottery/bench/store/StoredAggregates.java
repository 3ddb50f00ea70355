package lottery.bench.store;

import lottery.store.AggregateCache;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.common.lock.PessimisticLockFactory;
import org.axonframework.config.AggregateConfigurer;
import org.axonframework.config.Configurer;
import org.axonframework.modelling.command.VersionedAggregateIdentifier;

/** The same aggregates, kept and found in the same way, for every contender that is an engine of Axon's. */
final class StoredAggregates {

    private StoredAggregates() {}

    static void register(Configurer configurer) {
        configurer
                .configureAggregate(AggregateConfigurer.defaultConfiguration(StoredAccount.class)
                        .configureCache(axon -> new AggregateCache(
                                2L * MeasuredDraw.ACCOUNTS,
                                id -> axon.eventStore().lastSequenceNumberFor(id)))
                        .configureLockFactory(axon -> PessimisticLockFactory.usingDefaults())
                        .configureCommandTargetResolver(axon -> StoredAggregates::target))
                .configureAggregate(StoredOrder.class)
                .configureAggregate(StoredAward.class);
    }

    /** Axon's own resolver looks for annotations each time, which is no matter of engines. */
    private static VersionedAggregateIdentifier target(CommandMessage<?> command) {
        Object account = switch (command.getPayload()) {
            case MeasuredDraw draw -> draw.account();
            case StoredAccount.Open open -> open.account();
            case StoredAccount.Ping ping -> ping.account();
            default -> throw new IllegalArgumentException(command.getCommandName());
        };
        return new VersionedAggregateIdentifier(account, null);
    }
}
