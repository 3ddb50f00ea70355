package lottery.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.Optional;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyEvent.StrategyRevised;
import lottery.api.strategy.StrategyId;
import lottery.rule.CompiledStrategy;
import lottery.rule.Described;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EmbeddedEventStore;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.inmemory.InMemoryEventStorageEngine;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StrategyCacheTest {

    private static final StrategyId ID = new StrategyId(7);
    private static final StrategyDefinition DEFINITION =
            Described.single().award(1, "1").rules().definition();

    private final EventStore log = EmbeddedEventStore.builder()
            .storageEngine(new InMemoryEventStorageEngine())
            .build();
    private final StrategyCache strategies = new StrategyCache(log, InstantSource.system());

    private void store(int sequence, StrategyEvent event) {
        log.publish(new GenericDomainEventMessage<>("strategy", ID.text(), sequence, event));
    }

    private static Optional<Integer> version(Optional<CompiledStrategy> rules) {
        return rules.map(CompiledStrategy::version);
    }

    @Test
    @DisplayName("A version that another process has stored is found in the log, before its event arrives")
    void ofAnotherProcess() {
        store(0, new StrategyDefined(ID, 1, DEFINITION));
        assertThat(version(strategies.find(ID))).contains(1);
        store(1, new StrategyRevised(ID, 2, DEFINITION));
        assertThat(version(strategies.findInLog(ID))).contains(2);
    }
}
