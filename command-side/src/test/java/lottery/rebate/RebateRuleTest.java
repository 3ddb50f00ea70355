package lottery.rebate;

import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import lottery.CommandTargets;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.rebate.DefinedRebateRuleVersion;
import lottery.api.rebate.Rebate;
import lottery.api.rebate.RebateRuleCommand.AdoptRebateRule;
import lottery.api.rebate.RebateRuleCommand.DefineRebateRule;
import lottery.api.rebate.RebateRuleDefinition;
import lottery.api.rebate.RebateRuleDefinition.RebateRuleState;
import lottery.api.rebate.RebateRuleEvent.RebateRuleDefined;
import lottery.api.rebate.RebateRuleEvent.RebateRuleProposed;
import lottery.api.rebate.RebateRuleId;
import lottery.raffle.RaffleInMemory;
import lottery.store.trace.Actor;
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
    private static final RebateRuleProposed PROPOSED = new RebateRuleProposed(ID, 2, NINE, "olga");

    private final FixtureConfiguration<RebateRule> rules = new AggregateTestFixture<>(RebateRule.class)
            .registerCommandTargetResolver(new CommandTargets())
            .registerInjectableResource(new RaffleInMemory().activities);

    private static RebateRuleDefinition definition(String credits, RebateRuleState state) {
        return new RebateRuleDefinition("share", List.of(Rebate.ofCredits(new BigDecimal(credits))), null, null, state);
    }

    private static Actor actor(String name) {
        return new Actor(name, "approver", Set.of("approver"), Actor.AccessScope.ALL);
    }

    private static Answer<DefinedRebateRuleVersion> done(int version, boolean isNew, boolean isProposed) {
        return Answer.done(new DefinedRebateRuleVersion(version, isNew, isProposed));
    }

    @Test
    @DisplayName(
            "It is proposed if it would pay, with the name of the first person, and defined at once if it is closed.")
    void defined() {
        try (var _ = Actor.open(actor("olga"))) {
            rules.given(DEFINED)
                    .when(new DefineRebateRule(ID, NINE))
                    .expectEvents(PROPOSED)
                    .expectResultMessagePayload(done(2, true, true));
        }
        rules.givenNoPriorActivity()
                .when(new DefineRebateRule(ID, ONE))
                .expectEvents(new RebateRuleProposed(ID, 1, ONE, null));
        rules.given(DEFINED, PROPOSED)
                .when(new DefineRebateRule(ID, CLOSED))
                .expectEvents(new RebateRuleDefined(ID, 3, CLOSED))
                .expectResultMessagePayload(done(3, true, false));
    }

    @Test
    @DisplayName("It changes nothing if it says the same, or if the same is proposed.")
    void same() {
        rules.given(DEFINED)
                .when(new DefineRebateRule(ID, ONE))
                .expectNoEvents()
                .expectResultMessagePayload(done(1, false, false));
        rules.given(DEFINED, PROPOSED)
                .when(new DefineRebateRule(ID, NINE))
                .expectNoEvents()
                .expectResultMessagePayload(done(2, false, true));
    }

    @Test
    @DisplayName("What waits is taken back by the text that holds, be it open or closed.")
    void takenBack() {
        rules.given(DEFINED, PROPOSED)
                .when(new DefineRebateRule(ID, ONE))
                .expectEvents(new RebateRuleDefined(ID, 3, ONE))
                .expectResultMessagePayload(done(3, true, false));
        rules.given(new RebateRuleDefined(ID, 1, CLOSED), PROPOSED)
                .when(new DefineRebateRule(ID, CLOSED))
                .expectEvents(new RebateRuleDefined(ID, 3, CLOSED));
    }

    @Test
    @DisplayName("It is adopted by another person. The same person is refused.")
    void adopted() {
        try (var _ = Actor.open(actor("olga"))) {
            rules.given(DEFINED, PROPOSED)
                    .when(new AdoptRebateRule(ID, 2))
                    .expectNoEvents()
                    .expectResultMessagePayload(Answer.no(new Refused(Refusal.FORBIDDEN, "rule (proposed by olga)")));
        }
        try (var _ = Actor.open(actor("paul"))) {
            rules.given(DEFINED, PROPOSED)
                    .when(new AdoptRebateRule(ID, 2))
                    .expectEvents(new RebateRuleDefined(ID, 2, NINE))
                    .expectResultMessagePayload(done(2, true, false));
        }
        rules.given(DEFINED, PROPOSED, new RebateRuleDefined(ID, 2, NINE))
                .when(new AdoptRebateRule(ID, 2))
                .expectNoEvents()
                .expectResultMessagePayload(done(2, false, false));
    }

    private static Answer<DefinedRebateRuleVersion> stale(String because) {
        return Answer.no(new Refused(Refusal.VERSION_STALE, "%s (%s)".formatted(ID, because)));
    }

    @Test
    @DisplayName("It is not adopted in a version that was replaced or ended.")
    void stale() {
        rules.given(DEFINED, PROPOSED, new RebateRuleProposed(ID, 3, definition("2", RebateRuleState.OPEN), "olga"))
                .when(new AdoptRebateRule(ID, 2))
                .expectNoEvents()
                .expectResultMessagePayload(stale("version 3 waits"));
        rules.given(DEFINED, PROPOSED, new RebateRuleDefined(ID, 3, CLOSED))
                .when(new AdoptRebateRule(ID, 2))
                .expectNoEvents()
                .expectResultMessagePayload(stale("nothing waits"));
    }
}
