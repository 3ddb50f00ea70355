package lottery.account;

import static lottery.account.AccountFixture.ANN;
import static lottery.account.AccountFixture.RECHARGED;
import static lottery.account.AccountFixture.REQUEST;
import static lottery.account.AccountFixture.USER;
import static lottery.account.AccountFixture.YESTERDAY;
import static lottery.account.AccountFixture.due;
import static lottery.account.AccountFixture.fixture;
import static lottery.account.AccountFixture.refused;
import static lottery.account.AccountFixture.spent;
import static lottery.raffle.RaffleInMemory.ACTIVITY;
import static lottery.raffle.RaffleInMemory.PARTICIPATIONS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.account.AccountCommand.CompensateAward;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardLeftToDesk;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.Remedy;
import lottery.raffle.DrawDecisionInput;
import lottery.raffle.RaffleInMemory;
import org.axonframework.modelling.command.AggregateNotFoundException;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A rejected award is compensated once, with a chance or with another award.")
class AccountCompensationTest {

    private static final RaffleOrderId DRAWN = REQUEST.id();
    private static final AwardRecordId AWARD = AwardRecordId.of(DRAWN);
    private static final AwardWon WON = RaffleInMemory.wonForLater(due(new RaffleInMemory(), DRAWN, 0, 0));
    private static final AwardGrantRejected REJECTED = new AwardGrantRejected(AWARD, USER, "receipt", "none left");
    private static final AwardLeftToDesk LEFT_TO_DESK =
            new AwardLeftToDesk(AWARD, USER, "a chance is worth nothing when the activity is over or full");
    private static final ChanceSpent SPENT = spent(DRAWN, YESTERDAY, false, false);
    private static final CompensateAward RETURN_CHANCE = new CompensateAward(ANN, AWARD, Remedy.RETURN_CHANCE);
    private static final CompensateAward SUBSTITUTE = new CompensateAward(ANN, AWARD, Remedy.SUBSTITUTE);

    private final RaffleInMemory raffle = new RaffleInMemory();
    private final FixtureConfiguration<ActivityAccount> account = fixture(raffle);

    private static void reject(RaffleInMemory where) {
        where.given(AWARD, WON, REJECTED);
        where.given(ANN, RECHARGED, SPENT);
    }

    private static void assertChanceReturned(RaffleInMemory where) {
        fixture(where)
                .given(RECHARGED, SPENT)
                .when(RETURN_CHANCE)
                .expectEvents(new ChanceReturned(ACTIVITY, USER, DRAWN, YESTERDAY))
                .expectResultMessagePayload(Answer.done(AwardState.COMPENSATED));
        assertThat(where.stored(AWARD))
                .containsExactly(WON, REJECTED, new AwardCompensated(AWARD, USER, Remedy.RETURN_CHANCE, null));
    }

    /** Checks that the command is refused, and that nothing is stored for the award either. */
    private static void assertRefused(RaffleInMemory where, CompensateAward compensate, Refusal why, String subject) {
        List<Object> before = where.stored(AWARD);
        fixture(where)
                .given(RECHARGED, SPENT)
                .when(compensate)
                .expectNoEvents()
                .expectResultMessagePayload(refused(why, subject));
        assertThat(where.stored(AWARD)).isEqualTo(before);
    }

    @Test
    @DisplayName("A rejected award is compensated with the chance that it had cost.")
    void compensated() {
        reject(raffle);
        assertChanceReturned(raffle);
    }

    @Test
    @DisplayName("A chance is returned also while the activity is paused.")
    void compensatedInPause() {
        reject(raffle);
        raffle.pause();
        assertChanceReturned(raffle);
    }

    @Test
    @DisplayName("A rejected award is replaced by the fallback of the strategy that it was drawn from.")
    void substituted() {
        RaffleInMemory withFallback = RaffleInMemory.withFallback();
        reject(withFallback);
        withFallback.given(DRAWN, RaffleInMemory.drawn(due(withFallback, DRAWN, 0, 0)));
        AwardWon substitute = RaffleInMemory.substitute(WON);
        fixture(withFallback)
                .given(RECHARGED, SPENT)
                .when(SUBSTITUTE)
                .expectEvents(substitute)
                .expectResultMessagePayload(Answer.done(AwardState.COMPENSATED));
        assertThat(withFallback.stored(AWARD))
                .containsExactly(
                        WON,
                        REJECTED,
                        new AwardCompensated(AWARD, USER, Remedy.SUBSTITUTE, substitute.awardRecordId()));
    }

    @ParameterizedTest
    @EnumSource(Remedy.class)
    @DisplayName("A compensated award stays as it is, whatever the remedy.")
    void compensatedOnce(Remedy by) {
        reject(raffle);
        AwardCompensated compensated = new AwardCompensated(AWARD, USER, Remedy.RETURN_CHANCE, null);
        raffle.given(AWARD, compensated);
        account.given(RECHARGED)
                .when(new CompensateAward(ANN, AWARD, by))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(AwardState.COMPENSATED));
        assertThat(raffle.stored(AWARD)).containsExactly(WON, REJECTED, compensated);
        assertRefused(raffle, new CompensateAward(ANN, AWARD, by, true), Refusal.AWARD_STATE, AWARD + " (COMPENSATED)");
    }

    @ParameterizedTest
    @EnumSource(Remedy.class)
    @DisplayName("An award is not compensated before fulfilment has rejected it.")
    void notYetCompensated(Remedy by) {
        raffle.given(AWARD, WON);
        assertRefused(raffle, new CompensateAward(ANN, AWARD, by), Refusal.AWARD_STATE, AWARD + " (WON)");
    }

    @Test
    @DisplayName("An award is not replaced if its strategy has no fallback.")
    void noSubstitute() {
        reject(raffle);
        raffle.given(DRAWN, RaffleInMemory.drawn(due(raffle, DRAWN, 0, 0)));
        assertRefused(raffle, SUBSTITUTE, Refusal.AWARD_STATE, AWARD.text());
    }

    @Test
    @DisplayName("An award that no draw has won is not replaced.")
    void notDrawn() {
        RaffleInMemory withFallback = RaffleInMemory.withFallback();
        reject(withFallback);
        assertRefused(withFallback, SUBSTITUTE, Refusal.AWARD_STATE, AWARD.text());
    }

    @Test
    @DisplayName("An award is not replaced if its activity does not exist.")
    void notReplacedWithoutActivity() {
        ActivityId unknown = new ActivityId(404);
        RaffleInMemory withFallback = RaffleInMemory.withFallback();
        DrawDecisionInput due = due(withFallback, DRAWN, 0, 0);
        DrawDecisionInput elsewhere =
                new DrawDecisionInput(new AccountId(unknown, USER), DRAWN, due.before(), due.activity());
        withFallback.given(AWARD, RaffleInMemory.wonForLater(elsewhere), REJECTED);
        withFallback.given(DRAWN, RaffleInMemory.drawn(elsewhere));
        assertRefused(withFallback, SUBSTITUTE, Refusal.NOT_FOUND, unknown.text());
    }

    @Test
    @DisplayName("A command does not compensate an award if its remedy is the decision of a person.")
    void notByPerson() {
        reject(raffle);
        assertRefused(raffle, new CompensateAward(ANN, AWARD, Remedy.MANUAL), Refusal.AWARD_STATE, AWARD.text());
    }

    @Test
    @DisplayName("A chance is not returned if the account has spent none for the award.")
    void noChanceSpent() {
        raffle.given(AWARD, WON, REJECTED);
        raffle.given(ANN, RECHARGED);
        assertRefused(raffle, RETURN_CHANCE, Refusal.AWARD_STATE, AWARD.text());
    }

    @Test
    @DisplayName("A chance is not returned in an activity that draws its entries together.")
    void noChanceForEntries() {
        RaffleInMemory pooled = RaffleInMemory.pooled();
        reject(pooled);
        assertRefused(pooled, RETURN_CHANCE, Refusal.AWARD_STATE, AWARD.text());
    }

    /** Activities in which a chance is worth nothing, each with the reason. */
    static Stream<Arguments> worthless() {
        return Stream.of(
                Arguments.of(Refusal.ACTIVITY_NOT_OPEN, new RaffleInMemory().close()),
                Arguments.of(Refusal.ACTIVITY_DATES, new RaffleInMemory().end()),
                Arguments.of(Refusal.ACTIVITY_FULL, new RaffleInMemory().takeParticipations(PARTICIPATIONS)),
                Arguments.of(Refusal.NOT_FOUND, RaffleInMemory.withoutActivity()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("worthless")
    @DisplayName("A rejected award is left to the desk, and then not compensated, if a chance would be worth nothing.")
    void leftToDesk(Refusal why, RaffleInMemory worthless) {
        reject(worthless);
        assertRefused(worthless, new CompensateAward(ANN, AWARD, Remedy.RETURN_CHANCE, true), why, ACTIVITY.text());
        fixture(worthless)
                .given(RECHARGED, SPENT)
                .when(RETURN_CHANCE)
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(AwardState.ON_DESK));
        assertThat(worthless.stored(AWARD)).containsExactly(WON, REJECTED, LEFT_TO_DESK);
        assertRefused(worthless, RETURN_CHANCE, why, ACTIVITY.text());
    }

    @Test
    @DisplayName("An award that was never won is not found by the repository, and neither is an unknown account.")
    void unknown() {
        account.given(RECHARGED).when(RETURN_CHANCE).expectNoEvents().expectException(AggregateNotFoundException.class);
        reject(raffle);
        account.givenNoPriorActivity()
                .when(RETURN_CHANCE)
                .expectNoEvents()
                .expectException(AggregateNotFoundException.class);
    }
}
