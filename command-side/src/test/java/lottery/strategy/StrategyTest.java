package lottery.strategy;

import static lottery.api.Finding.Flaw.AWARD_TWICE;
import static lottery.api.Finding.Flaw.FALLBACK_LOCKED;
import static lottery.api.Finding.Flaw.FALLBACK_UNKNOWN;
import static lottery.api.Finding.Flaw.RATES_ABOVE_ONE;
import static lottery.api.Finding.Flaw.RATE_NOT_POSITIVE;
import static lottery.api.Finding.Flaw.RATE_TOO_FINE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasToString;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import lottery.CommandTargets;
import lottery.api.Answer;
import lottery.api.Finding;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyCommand.DefineStrategy;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyId;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A strategy")
class StrategyTest {

    private static final StrategyId ID = new StrategyId(7);

    private final FixtureConfiguration<Strategy> strategy =
            new AggregateTestFixture<>(Strategy.class).registerCommandTargetResolver(new CommandTargets());

    @Test
    @DisplayName("is defined in version 1")
    void defined() {
        StrategyDefinition definition = definition(1, award(1, "0.5", 0), award(2, "0.5", 2));
        strategy.givenNoPriorActivity()
                .when(new DefineStrategy(ID, definition))
                .expectEvents(new StrategyDefined(ID, 1, definition))
                .expectResultMessagePayload(Answer.done(1));
    }

    @Test
    @DisplayName("with flaws is refused with all of them, and does not begin")
    void refused() {
        strategy.givenNoPriorActivity()
                .when(new DefineStrategy(ID, definition(9, award(1, "0", 0), award(1, "0.0000000000000000001", 0))))
                .expectNoEvents()
                .expectException(RefusedException.class)
                .expectException(hasToString(containsString(Refusal.STRATEGY_INVALID.name())));
    }

    @Test
    @DisplayName("names each flaw with its place")
    void findings() {
        assertThat(DefinitionCheck.findings(
                        definition(9, award(1, "0", 0), award(1, "0.0000000000000000001", 0), award(2, "-1", 0))))
                .containsExactlyInAnyOrder(
                        new Finding("/awards/0/rate", RATE_NOT_POSITIVE),
                        new Finding("/awards/1/awardId", AWARD_TWICE),
                        new Finding("/awards/1/rate", RATE_TOO_FINE),
                        new Finding("/awards/2/rate", RATE_NOT_POSITIVE),
                        new Finding("/fallback", FALLBACK_UNKNOWN));
        assertThat(DefinitionCheck.findings(definition(2, award(1, "0.6", 0), award(2, "0.5", 3))))
                .containsExactlyInAnyOrder(
                        new Finding("/awards", RATES_ABOVE_ONE), new Finding("/fallback", FALLBACK_LOCKED));
        assertThat(DefinitionCheck.findings(definition(null, award(1, "1E+999999999", 0))))
                .containsExactly(new Finding("/awards/0/rate", RATES_ABOVE_ONE));
        assertThat(DefinitionCheck.findings(definition(null, award(1, "1", 0)))).isEmpty();
    }

    private static StrategyDefinition definition(@Nullable Integer fallback, AwardDefinition... awards) {
        return new StrategyDefinition(Mode.SINGLE, List.of(awards), fallback);
    }

    private static AwardDefinition award(int awardId, String rate, int lockedUntilDraws) {
        return new AwardDefinition(
                awardId, "Award", null, AwardType.TEXT, Map.of(), new BigDecimal(rate), awardId, lockedUntilDraws);
    }
}
