package lottery.bench.store;

import lottery.store.AggregateCache;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.common.lock.PessimisticLockFactory;
import org.axonframework.config.AggregateConfigurer;
import org.axonframework.config.Configurer;
import org.axonframework.modelling.command.VersionedAggregateIdentifier;

/** Registers the same aggregates, with the same cache, locks and routing, for every contender that uses Axon. */
final class StoredAggregates {

    private StoredAggregates() {}

    static void register(Configurer configurer) {
        configurer
                .configureAggregate(AggregateConfigurer.defaultConfiguration(MeasuredAccount.class)
                        .configureCache(axon -> new AggregateCache(
                                2L * MeasuredDraw.ACCOUNTS,
                                id -> axon.eventStore().lastSequenceNumberFor(id)))
                        .configureLockFactory(axon -> PessimisticLockFactory.usingDefaults())
                        .configureCommandTargetResolver(axon -> StoredAggregates::target))
                .configureAggregate(MeasuredRaffleOrder.class)
                .configureAggregate(MeasuredAward.class);
    }

    /**
     * Returns the account of a command. Axon's own resolver looks for annotations each time, which is not the work of
     * an engine.
     */
    private static VersionedAggregateIdentifier target(CommandMessage<?> command) {
        Object account = switch (command.getPayload()) {
            case MeasuredDraw draw -> draw.account();
            case MeasuredAccount.Open open -> open.account();
            case MeasuredAccount.Ping ping -> ping.account();
            default -> throw new IllegalArgumentException(command.getCommandName());
        };
        return new VersionedAggregateIdentifier(account, null);
    }
}
