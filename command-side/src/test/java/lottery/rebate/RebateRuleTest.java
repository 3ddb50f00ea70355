package lottery.rebate;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasToString;

import java.math.BigDecimal;
import java.util.List;
import lottery.CommandTargets;
import lottery.api.Answer;
import lottery.api.RefusedException;
import lottery.api.rebate.DefinedRebateRuleVersion;
import lottery.api.rebate.Rebate;
import lottery.api.rebate.RebateRuleCommand.DefineRebateRule;
import lottery.api.rebate.RebateRuleDefinition;
import lottery.api.rebate.RebateRuleDefinition.RebateRuleState;
import lottery.api.rebate.RebateRuleEvent.RebateRuleDefined;
import lottery.api.rebate.RebateRuleId;
import lottery.raffle.RaffleInMemory;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A rebate rule")
class RebateRuleTest {

    private static final RebateRuleId ID = new RebateRuleId(7);
    private static final RebateRuleDefinition ONE = definition("1", RebateRuleState.OPEN);
    private static final RebateRuleDefinition NINE = definition("9", RebateRuleState.OPEN);
    private static final RebateRuleDefinition CLOSED = definition("1", RebateRuleState.CLOSED);
    private static final RebateRuleDefined DEFINED = new RebateRuleDefined(ID, 1, ONE);

    private final FixtureConfiguration<RebateRule> rules = new AggregateTestFixture<>(RebateRule.class)
            .registerCommandTargetResolver(new CommandTargets())
            .registerInjectableResource(new RaffleInMemory().activities);

    private static RebateRuleDefinition definition(String credits, RebateRuleState state) {
        return new RebateRuleDefinition("share", List.of(Rebate.ofCredits(new BigDecimal(credits))), null, null, state);
    }

    private static Answer<DefinedRebateRuleVersion> done(int version, boolean isNew) {
        return Answer.done(new DefinedRebateRuleVersion(version, isNew));
    }

    @Test
    @DisplayName("It gets the next version, if that is the version that was wanted, or if any will do.")
    void defined() {
        rules.givenNoPriorActivity()
                .when(new DefineRebateRule(ID, ONE, 1))
                .expectEvents(DEFINED)
                .expectResultMessagePayload(done(1, true));
        rules.given(DEFINED)
                .when(new DefineRebateRule(ID, NINE, 2))
                .expectEvents(new RebateRuleDefined(ID, 2, NINE))
                .expectResultMessagePayload(done(2, true));
        rules.given(DEFINED)
                .when(new DefineRebateRule(ID, CLOSED, null))
                .expectEvents(new RebateRuleDefined(ID, 2, CLOSED));
    }

    @Test
    @DisplayName("It changes nothing if it says the same.")
    void same() {
        rules.given(DEFINED)
                .when(new DefineRebateRule(ID, ONE, null))
                .expectNoEvents()
                .expectResultMessagePayload(done(1, false));
        rules.given(DEFINED)
                .when(new DefineRebateRule(ID, ONE, 1))
                .expectNoEvents()
                .expectResultMessagePayload(done(1, false));
    }

    @Test
    @DisplayName("It is not opened by one person, also not in the words of an earlier version.")
    void alone() {
        rules.given(DEFINED, new RebateRuleDefined(ID, 2, CLOSED))
                .when(new DefineRebateRule(ID, ONE, null))
                .expectNoEvents()
                .expectException(RefusedException.class);
        rules.givenNoPriorActivity()
                .when(new DefineRebateRule(ID, ONE, null))
                .expectNoEvents()
                .expectException(RefusedException.class);
    }

    @Test
    @DisplayName("It does not become a version that another definition has become.")
    void stale() {
        rules.given(DEFINED, new RebateRuleDefined(ID, 2, CLOSED))
                .when(new DefineRebateRule(ID, NINE, 2))
                .expectNoEvents()
                .expectException(RefusedException.class)
                .expectException(hasToString(containsString("VERSION_STALE")));
    }
}
