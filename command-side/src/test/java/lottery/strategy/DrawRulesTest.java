package lottery.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import lottery.api.raffle.Outcome;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.api.strategy.StrategyId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A draw")
class DrawRulesTest {

    @Nested
    @DisplayName("that picks an award locked until 3 draws")
    class Locked {

        private final DrawRules rules = rules(1, award(1, "0", 0), award(2, "1", 3));

        @ParameterizedTest(name = "after {0} draws on that day comes to {1}")
        @CsvSource({"0, FALLBACK", "1, FALLBACK", "2, FALLBACK", "3, WON", "4, WON"})
        void unlocksWithDrawsBefore(int drawsBeforeToday, Outcome outcome) {
            assertThat(decideTheSecond(rules, drawsBeforeToday).outcome()).isEqualTo(outcome);
        }

        @Test
        @DisplayName("gives the fallback instead")
        void givesTheFallback() {
            AwardDefinition award =
                    Objects.requireNonNull(decideTheSecond(rules, 0).award());
            assertThat(award.awardId()).isEqualTo(1);
        }

        @Test
        @DisplayName("comes to nothing where there is no fallback")
        void nothingWithoutFallback() {
            DrawRules without = rules(null, award(1, "0", 0), award(2, "1", 3));
            assertThat(decideTheSecond(without, 0).outcome()).isEqualTo(Outcome.NOTHING);
        }
    }

    @Test
    @DisplayName("that falls into the rest of the odds comes to nothing")
    void nothing() {
        DrawRules rules = rules(null, award(1, "0.5", 0));
        Decision decision = rules.decide(0, bound -> bound - 1);
        assertThat(decision.outcome()).isEqualTo(Outcome.NOTHING);
        assertThat(decision.award()).isNull();
    }

    /** The rates make the second award the only one that can be picked. */
    private static Decision decideTheSecond(DrawRules rules, int drawsBeforeToday) {
        return rules.decide(drawsBeforeToday, bound -> bound == 3 ? 1 : 0);
    }

    private static DrawRules rules(@Nullable Integer fallback, AwardDefinition... awards) {
        return DrawRules.assemble(new StrategyId(1), 1, new StrategyDefinition(Mode.SINGLE, List.of(awards), fallback));
    }

    private static AwardDefinition award(int awardId, String rate, int lockedUntilDraws) {
        return new AwardDefinition(
                awardId,
                "Award " + awardId,
                null,
                AwardType.TEXT,
                Map.of("text", "Here it is"),
                new BigDecimal(rate),
                awardId,
                lockedUntilDraws);
    }
}
