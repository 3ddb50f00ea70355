package lottery.strategy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.time.Duration;
import java.util.Optional;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyId;
import lottery.rule.DrawRules;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The strategies that are drawn from, assembled once per version and found without any wait. */
@Component
@ProcessingGroup("campaigns")
public class StrategyCache {

    private static final long KEPT_MAX = 10_000;

    /**
     * A definition has up to a megabyte, with a long blacklist; old versions are asked for by those who verify draws.
     */
    private static final long VERSIONS_KEPT_MAX = 200;

    private static final Duration VERSION_KEPT = Duration.ofMinutes(10);

    /** Should the news of a change be late, for so long it is decided by the old state at most. */
    private static final Duration AGE_MAX = Duration.ofSeconds(5);

    /** What is asked for all the time is read again in the background, so that nobody waits for it. */
    private static final Duration AGE_USUAL = Duration.ofSeconds(2);

    private record Version(StrategyId strategyId, int number) {}

    private final EventStore events;
    private final Cache<Version, DrawRules> assembled = Caffeine.newBuilder()
            .maximumSize(VERSIONS_KEPT_MAX)
            .expireAfterAccess(VERSION_KEPT)
            .build();
    private final LoadingCache<StrategyId, @Nullable DrawRules> newest = Caffeine.newBuilder()
            .maximumSize(KEPT_MAX)
            .expireAfterWrite(AGE_MAX)
            .refreshAfterWrite(AGE_USUAL)
            .executor(Thread::startVirtualThread)
            .build(this::read);

    StrategyCache(EventStore events) {
        this.events = events;
    }

    /** The rules of the newest version. */
    public Optional<DrawRules> find(StrategyId strategyId) {
        return Optional.ofNullable(newest.get(strategyId));
    }

    /** The rules of one version. A version never changes. */
    public Optional<DrawRules> find(StrategyId strategyId, int version) {
        if (version < 1) {
            return Optional.empty();
        }
        return Optional.ofNullable(assembled.getIfPresent(new Version(strategyId, version)))
                .or(() -> event(strategyId, version - 1L).map(this::assemble));
    }

    private @Nullable DrawRules read(StrategyId strategyId) {
        return events.lastSequenceNumberFor(strategyId.text())
                .flatMap(last -> find(strategyId, Math.toIntExact(last + 1)))
                .orElse(null);
    }

    /** Each version is one event, so that the first of them has the sequence number 0. */
    private Optional<StrategyEvent> event(StrategyId strategyId, long sequence) {
        DomainEventStream history = events.readEvents(strategyId.text(), sequence);
        return history.hasNext() ? Optional.of((StrategyEvent) history.next().getPayload()) : Optional.empty();
    }

    private DrawRules assemble(StrategyEvent event) {
        return assembled.get(
                new Version(event.strategyId(), event.version()),
                version -> DrawRules.assemble(event.strategyId(), event.version(), event.definition()));
    }

    /** So that whoever changed a strategy here finds it changed here, without waiting for the event to come around. */
    void forget(StrategyId strategyId) {
        newest.asMap().remove(strategyId);
    }

    @EventHandler
    void on(StrategyEvent event) {
        forget(event.strategyId());
    }
}
