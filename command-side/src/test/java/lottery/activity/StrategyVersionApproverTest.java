package lottery.activity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyEvent.StrategyRevised;
import lottery.api.strategy.StrategyId;
import lottery.rule.Described;
import lottery.strategy.StrategiesInLog;
import lottery.strategy.StrategyCache;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EmbeddedEventStore;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.inmemory.InMemoryEventStorageEngine;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StrategyVersionApproverTest {

    private static final StrategyId STRATEGY = new StrategyId(7);
    private static final StrategyDefinition RULES =
            Described.single().award(1, "1").rules().definition();
    private static final ActivityDefinition ACTIVITY = new ActivityDefinition(
            "Spring",
            null,
            Instant.EPOCH,
            Instant.EPOCH.plusSeconds(60),
            ZoneOffset.UTC,
            STRATEGY,
            null,
            null,
            null,
            List.of());

    private final EventStore log = EmbeddedEventStore.builder()
            .storageEngine(new InMemoryEventStorageEngine())
            .build();
    private final StrategyCache strategies = StrategiesInLog.of(log);
    private final StrategyVersionApprover approver = new StrategyVersionApprover(strategies);

    private void store(int sequence, StrategyEvent event) {
        log.publish(new GenericDomainEventMessage<>("strategy", STRATEGY.text(), sequence, event));
    }

    private Answer<ApprovedStrategy> approve(int seen) {
        return approver.ofNewest(ACTIVITY, seen);
    }

    @Test
    @DisplayName("An approval counts a version that another process has just stored as the newest")
    void ofAnotherProcess() {
        store(0, new StrategyDefined(STRATEGY, 1, RULES));
        assertThat(strategies.find(STRATEGY)).isPresent();
        assertThat(approve(1).orThrow().version()).isEqualTo(1);
        store(1, new StrategyRevised(STRATEGY, 2, RULES));
        assertThat(approve(1))
                .isInstanceOfSatisfying(
                        Answer.No.class, no -> assertThat(no.refused().why()).isEqualTo(Refusal.VERSION_STALE));
        assertThat(approve(2).orThrow().version()).isEqualTo(2);
    }
}
