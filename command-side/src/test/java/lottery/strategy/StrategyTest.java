package lottery.strategy;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasToString;

import java.math.BigDecimal;
import java.util.List;
import lottery.CommandTargets;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.SubmissionFlaw;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyCommand.DefineStrategy;
import lottery.api.strategy.StrategyCommand.ReviseStrategy;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyEvent.StrategyRevised;
import lottery.api.strategy.StrategyId;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The aggregate of a strategy")
class StrategyTest {

    private static final StrategyId ID = new StrategyId(7);

    private final FixtureConfiguration<Strategy> strategy =
            new AggregateTestFixture<>(Strategy.class).registerCommandTargetResolver(new CommandTargets());

    @Test
    @DisplayName("The first definition has version 1.")
    void defined() {
        StrategyDefinition definition = definition(1, award(1, "0.5", 0), award(2, "0.5", 2));
        strategy.givenNoPriorActivity()
                .when(new DefineStrategy(ID, definition))
                .expectEvents(new StrategyDefined(ID, 1, definition))
                .expectResultMessagePayload(Answer.done(1));
    }

    @Test
    @DisplayName("A definition with flaws is refused with all of them, and no strategy is created.")
    void refused() {
        strategy.givenNoPriorActivity()
                .when(new DefineStrategy(ID, definition(9, award(1, "0", 0), award(1, "0.0000000000000000001", 0))))
                .expectNoEvents()
                .expectException(RefusedException.class)
                .expectException(hasToString(containsString(Refusal.STRATEGY_INVALID.name())));
    }

    @Nested
    @DisplayName("An existing strategy")
    class Revised {

        private final StrategyDefinition before = definition(null, award(1, "0.5", 0));
        private final StrategyDefinition after = definition(null, award(1, "0.6", 0));

        @Test
        @DisplayName("A strategy is revised version by version.")
        void revised() {
            strategy.given(new StrategyDefined(ID, 1, before))
                    .when(new ReviseStrategy(ID, 1, after))
                    .expectEvents(new StrategyRevised(ID, 2, after))
                    .expectResultMessagePayload(Answer.done(2));
        }

        @Test
        @DisplayName("A revision that is not based on the newest version is refused.")
        void stale() {
            strategy.given(new StrategyDefined(ID, 1, before), new StrategyRevised(ID, 2, after))
                    .when(new ReviseStrategy(ID, 1, before))
                    .expectNoEvents()
                    .expectResultMessagePayload(Answer.no(new Refused(Refusal.VERSION_STALE, "strategy:7 (2)")));
        }

        @Test
        @DisplayName("A revision with flaws is refused.")
        void flaws() {
            strategy.given(new StrategyDefined(ID, 1, before))
                    .when(new ReviseStrategy(ID, 1, definition(2, award(1, "0.6", 0))))
                    .expectNoEvents()
                    .expectResultMessagePayload(Answer.no(new Refused(
                            Refusal.STRATEGY_INVALID,
                            "strategy:7",
                            List.of(new SubmissionFlaw("/fallback", SubmissionFlaw.FlawKind.AWARD_UNKNOWN)))));
        }
    }

    private static StrategyDefinition definition(@Nullable Integer fallback, AwardDefinition... awards) {
        return StrategyDefinition.of(Mode.SINGLE, List.of(awards), fallback);
    }

    private static AwardDefinition award(int awardId, String rate, int lockedUntilDraws) {
        return AwardDefinition.of(awardId, "Award", AwardType.TEXT, new BigDecimal(rate))
                .lockedUntilDraws(lockedUntilDraws)
                .build();
    }
}
