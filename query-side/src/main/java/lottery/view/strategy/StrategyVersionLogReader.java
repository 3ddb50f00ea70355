package lottery.view.strategy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;
import java.util.stream.Stream;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyId;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/**
 * Reads versions of strategies from the log. The version that decided a draw is always in the log before the draw, and
 * a version never changes. So a projection of draws always finds the version here. It need not follow the events of
 * strategies, and cannot be ahead of them or behind them.
 */
@Component
public class StrategyVersionLogReader {

    private static final long KNOWN_MAX = 1_000;

    private record StrategyVersionKey(StrategyId strategyId, int version) {}

    private final EventStore events;
    private final Cache<StrategyVersionKey, StrategyDefinition> known =
            Caffeine.newBuilder().maximumSize(KNOWN_MAX).build();

    StrategyVersionLogReader(EventStore events) {
        this.events = events;
    }

    /** Returns the definition of a version. */
    public Optional<StrategyDefinition> find(StrategyId strategyId, int version) {
        StrategyVersionKey key = new StrategyVersionKey(strategyId, version);
        StrategyDefinition definition = known.getIfPresent(key);
        if (definition == null) {
            Optional<StrategyDefinition> told = told(key);
            told.ifPresent(found -> known.put(key, found));
            return told;
        }
        return Optional.of(definition);
    }

    private Optional<StrategyDefinition> told(StrategyVersionKey key) {
        // Each version is one event, so this version cannot be at an earlier place in the stream.
        return events.readEvents(key.strategyId().text(), key.version() - 1L)
                .asStream()
                .map(EventMessage::getPayload)
                .flatMap(event -> event instanceof StrategyEvent about ? Stream.of(about) : Stream.empty())
                .filter(about -> about.version() == key.version())
                .map(StrategyEvent::definition)
                .findFirst();
    }
}
