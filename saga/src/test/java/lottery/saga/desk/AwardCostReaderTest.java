package lottery.saga.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyEvent.StrategyRevised;
import lottery.api.strategy.StrategyId;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EmbeddedEventStore;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.inmemory.InMemoryEventStorageEngine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The cost of a won award")
class AwardCostReaderTest {

    private static final Instant NOON = Instant.parse("2026-11-26T04:00:00Z");
    private static final ActivityId ACTIVITY = new ActivityId(100);
    private static final UserId ANN = new UserId("ann");
    private static final StrategyId STRATEGY = new StrategyId(7);

    private final EventStore events = EmbeddedEventStore.builder()
            .storageEngine(new InMemoryEventStorageEngine())
            .build();
    private final AwardCostReader costs = new AwardCostReader(events);

    @BeforeEach
    void strategy() {
        happens(STRATEGY.text(), 0, new StrategyDefined(STRATEGY, 1, definition("40")));
        happens(STRATEGY.text(), 1, new StrategyRevised(STRATEGY, 2, definition("250.5")));
        happens(STRATEGY.text(), 2, new StrategyRevised(STRATEGY, 3, definition(null)));
    }

    private static StrategyDefinition definition(@Nullable String cost) {
        return StrategyDefinition.of(Mode.SINGLE, List.of(award(1, "9999"), award(2, cost)), null);
    }

    private static AwardDefinition award(int id, @Nullable String cost) {
        return AwardDefinition.of(id, "Award " + id, AwardType.TEXT, new BigDecimal("0.5"))
                .cost(cost == null ? null : new BigDecimal(cost))
                .build();
    }

    private void happens(String aggregate, long sequence, Object event) {
        events.publish(new GenericDomainEventMessage<>("any", aggregate, sequence, event));
    }

    /** Lets a version of the strategy draw the second award, or only the award exist. */
    private AwardWon won(@Nullable Integer version, @Nullable String amount) {
        return won(version, 2, amount);
    }

    private AwardWon won(@Nullable Integer version, int award, @Nullable String amount) {
        RaffleOrderId order =
                RaffleRequestIdentity.of(new AccountId(ACTIVITY, ANN), "key").id();
        Prize prize = new Prize(
                award, "Award " + award, AwardType.TEXT, award, amount == null ? null : new BigDecimal(amount));
        if (version != null) {
            happens(
                    order.text(),
                    0,
                    new RaffleDrawn(
                            order,
                            ACTIVITY,
                            ANN,
                            STRATEGY,
                            version,
                            1,
                            0,
                            0,
                            List.of(),
                            null,
                            null,
                            null,
                            "ab".repeat(32),
                            Outcome.WON,
                            prize,
                            NOON));
        }
        return new AwardWon(
                AwardRecordId.of(order),
                ACTIVITY,
                ANN,
                prize,
                false,
                null,
                Map.of(),
                GrantTime.AT_ONCE,
                Remedy.MANUAL,
                null,
                NOON,
                null);
    }

    @Test
    @DisplayName("An award costs what the version of the strategy says that has drawn it.")
    void byVersion() {
        assertThat(costs.costOf(won(2, null))).isEqualByComparingTo("250.5");
    }

    @Test
    @DisplayName("An award of an amount that varies costs its amount times the cost of one unit.")
    void byAmount() {
        assertThat(costs.costOf(won(1, "2.5"))).isEqualByComparingTo("100");
    }

    @Test
    @DisplayName("An award without a cost costs nothing.")
    void withoutCost() {
        assertThat(costs.costOf(won(3, null))).isZero();
    }

    @Test
    @DisplayName("An award that no draw has won costs nothing: a pool has won it, or it is a substitute.")
    void withoutDraw() {
        assertThat(costs.costOf(won(null, null))).isZero();
        AwardWon dear = won(2, null);
        AwardWon substitute = new AwardWon(
                dear.awardRecordId().substituteFor(ANN),
                ACTIVITY,
                ANN,
                dear.award(),
                false,
                null,
                Map.of(),
                GrantTime.AT_ONCE,
                Remedy.MANUAL,
                dear.awardRecordId(),
                NOON,
                null);
        assertThat(costs.costOf(substitute)).isZero();
    }

    @Test
    @DisplayName("A draw by a version that is not in the log is an error, and not free of cost.")
    void withoutVersion() {
        assertThatIllegalStateException().isThrownBy(() -> costs.costOf(won(4, null)));
    }

    @Test
    @DisplayName("A drawn award that its version does not know is an error, and not free of cost.")
    void withoutAward() {
        assertThatIllegalStateException().isThrownBy(() -> costs.costOf(won(1, 3, null)));
    }
}
