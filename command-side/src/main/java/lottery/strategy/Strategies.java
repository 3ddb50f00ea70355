package lottery.strategy;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.time.Duration;
import java.util.Optional;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyId;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The strategies that are drawn from, assembled once per version and found without any wait. */
@Component
@ProcessingGroup("campaigns")
public class Strategies {

    private static final long ASSEMBLED_MAX = 10_000;

    /** Should the news of a change be late, for so long it is decided by the old state at most. */
    private static final Duration AGE_MAX = Duration.ofSeconds(5);

    private final EventStore events;
    private final LoadingCache<StrategyId, @Nullable DrawRules> assembled = Caffeine.newBuilder()
            .maximumSize(ASSEMBLED_MAX)
            .expireAfterWrite(AGE_MAX)
            .build(this::assemble);

    Strategies(EventStore events) {
        this.events = events;
    }

    /** The rules of the newest version. */
    public Optional<DrawRules> find(StrategyId strategyId) {
        return Optional.ofNullable(assembled.get(strategyId));
    }

    private @Nullable DrawRules assemble(StrategyId strategyId) {
        DomainEventStream history = events.readEvents(strategyId.text());
        DrawRules newest = null;
        while (history.hasNext()) {
            newest = switch ((StrategyEvent) history.next().getPayload()) {
                case StrategyDefined defined ->
                    DrawRules.assemble(defined.strategyId(), defined.version(), defined.definition());
            };
        }
        return newest;
    }

    @EventHandler
    void on(StrategyEvent event) {
        assembled.asMap().remove(event.strategyId());
    }
}
