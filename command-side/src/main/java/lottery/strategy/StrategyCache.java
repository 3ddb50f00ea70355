package lottery.strategy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import lottery.api.strategy.Blacklist;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyId;
import lottery.rule.CompiledStrategy;
import lottery.store.FollowedCache;
import lottery.store.trace.Actor;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Caches the compiled strategies. Each version is compiled once. A lookup waits only if the version is not cached yet.
 */
@Component
@ProcessingGroup("caches")
public class StrategyCache {

    private static final long KEPT_MAX = 10_000;

    /** The memory for cached versions, roughly in bytes. A version with a long blacklist needs up to a megabyte. */
    private static final long VERSIONS_WEIGHT_MAX = 200_000_000;

    private static final int VERSION_WEIGHT = 2_000;
    private static final int AWARD_WEIGHT = 1_000;
    private static final int USER_WEIGHT = 100;

    private static final Duration VERSION_KEPT = Duration.ofMinutes(10);

    private record StrategyVersionKey(StrategyId strategyId, int number) {}

    private final EventStore events;
    private final Cache<StrategyVersionKey, @Nullable CompiledStrategy> assembled = Caffeine.newBuilder()
            .maximumWeight(VERSIONS_WEIGHT_MAX)
            .weigher((StrategyVersionKey _, CompiledStrategy rules) -> weightOf(rules))
            .expireAfterAccess(VERSION_KEPT)
            .build();
    private final FollowedCache<StrategyId, CompiledStrategy> newest;

    StrategyCache(EventStore events, InstantSource clock) {
        this.events = events;
        this.newest = new FollowedCache<>(KEPT_MAX, clock, this::findInLog);
    }

    /** Returns the rules of the newest version. */
    public Optional<CompiledStrategy> find(StrategyId strategyId) {
        return newest.find(strategyId);
    }

    /** Returns the rules of the newest version, for a decision that must not miss a version of another process. */
    public Optional<CompiledStrategy> findInLog(StrategyId strategyId) {
        return events.lastSequenceNumberFor(strategyId.text())
                .flatMap(last -> find(strategyId, Math.toIntExact(last + 1)));
    }

    /** Returns the rules of one version. A version never changes. */
    public Optional<CompiledStrategy> find(StrategyId strategyId, int version) {
        if (version < 1) {
            return Optional.empty();
        }
        return Optional.ofNullable(assembled.get(new StrategyVersionKey(strategyId, version), this::assemble));
    }

    /** Returns the actor who wrote a version; empty if that caller was not authenticated. */
    public Optional<String> authorOf(StrategyId strategyId, int version) {
        DomainEventStream history = events.readEvents(strategyId.text(), version - 1L);
        return history.hasNext() ? Actor.nameIn(history.next()) : Optional.empty();
    }

    /** Reads a version. Each version is one event, so that the first version has sequence number 0. */
    private Optional<StrategyEvent> event(StrategyId strategyId, long sequence) {
        DomainEventStream history = events.readEvents(strategyId.text(), sequence);
        return history.hasNext() ? Optional.of((StrategyEvent) history.next().getPayload()) : Optional.empty();
    }

    /**
     * Reads and compiles a version. If several callers ask for the same version at the same time, one of them does
     * this, and the others wait for it.
     */
    private @Nullable CompiledStrategy assemble(StrategyVersionKey version) {
        return event(version.strategyId(), version.number() - 1L)
                .map(event -> CompiledStrategy.assemble(event.strategyId(), event.version(), event.definition()))
                .orElse(null);
    }

    private static int weightOf(CompiledStrategy rules) {
        StrategyDefinition definition = rules.definition();
        Blacklist blacklist = definition.blacklist();
        int users = blacklist == null ? 0 : blacklist.users().size();
        return VERSION_WEIGHT + AWARD_WEIGHT * definition.awards().size() + USER_WEIGHT * users;
    }

    /**
     * Drops a cached strategy. This method is called after this process has changed the strategy, so that the change is
     * seen before its event arrives.
     */
    void forget(StrategyId strategyId) {
        newest.forget(strategyId);
    }

    @EventHandler
    void on(StrategyEvent event) {
        forget(event.strategyId());
    }
}
