package lottery.strategy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.time.Duration;
import java.util.Optional;
import lottery.api.strategy.Blacklist;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyId;
import lottery.rule.CompiledStrategy;
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

    /** The longest time for which an old version is used if the event of a change arrives late. */
    private static final Duration AGE_MAX = Duration.ofSeconds(5);

    /**
     * The age after which an entry is read again. If a caller asks for an older entry, the read is made in the
     * background. The caller does not wait.
     */
    private static final Duration AGE_USUAL = Duration.ofSeconds(2);

    private record Version(StrategyId strategyId, int number) {}

    private final EventStore events;
    private final Cache<Version, @Nullable CompiledStrategy> assembled = Caffeine.newBuilder()
            .maximumWeight(VERSIONS_WEIGHT_MAX)
            .weigher((Version _, CompiledStrategy rules) -> weightOf(rules))
            .expireAfterAccess(VERSION_KEPT)
            .build();
    private final LoadingCache<StrategyId, @Nullable CompiledStrategy> newest = Caffeine.newBuilder()
            .maximumSize(KEPT_MAX)
            .expireAfterWrite(AGE_MAX)
            .refreshAfterWrite(AGE_USUAL)
            .executor(Thread::startVirtualThread)
            .build(this::read);

    StrategyCache(EventStore events) {
        this.events = events;
    }

    /** Returns the rules of the newest version. */
    public Optional<CompiledStrategy> find(StrategyId strategyId) {
        return Optional.ofNullable(newest.get(strategyId));
    }

    /** Returns the rules of the newest version, for a decision that must not miss a version of another process. */
    public Optional<CompiledStrategy> findInLog(StrategyId strategyId) {
        return Optional.ofNullable(read(strategyId));
    }

    /** Returns the rules of one version. A version never changes. */
    public Optional<CompiledStrategy> find(StrategyId strategyId, int version) {
        if (version < 1) {
            return Optional.empty();
        }
        return Optional.ofNullable(assembled.get(new Version(strategyId, version), this::assemble));
    }

    /** Returns the actor who wrote a version; empty if that caller was not authenticated. */
    public Optional<String> authorOf(StrategyId strategyId, int version) {
        DomainEventStream history = events.readEvents(strategyId.text(), version - 1L);
        return history.hasNext() ? Actor.nameIn(history.next()) : Optional.empty();
    }

    private @Nullable CompiledStrategy read(StrategyId strategyId) {
        return events.lastSequenceNumberFor(strategyId.text())
                .flatMap(last -> find(strategyId, Math.toIntExact(last + 1)))
                .orElse(null);
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
    private @Nullable CompiledStrategy assemble(Version version) {
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
        newest.asMap().remove(strategyId);
    }

    @EventHandler
    void on(StrategyEvent event) {
        forget(event.strategyId());
    }
}
