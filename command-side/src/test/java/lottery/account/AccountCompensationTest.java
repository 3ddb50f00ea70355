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
import static org.assertj.core.api.Assertions.assertThat;

import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.account.AccountCommand.CompensateAward;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.Remedy;
import lottery.raffle.RaffleInMemory;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A rejected award is compensated once, with a chance or with another award.")
class AccountCompensationTest {

    private static final RaffleOrderId DRAWN = REQUEST.id();
    private static final AwardRecordId AWARD = AwardRecordId.of(DRAWN);

    private final RaffleInMemory raffle = new RaffleInMemory();
    private final FixtureConfiguration<ActivityAccount> account = fixture(raffle);

    private AwardWon rejected() {
        AwardWon won = RaffleInMemory.wonForLater(due(raffle, DRAWN, 0, 0));
        raffle.given(AWARD, won, new AwardGrantRejected(AWARD, USER, "receipt", "none left"));
        raffle.given(ANN, RECHARGED, spent(DRAWN, YESTERDAY, false, null));
        return won;
    }

    @Test
    @DisplayName("A rejected award is compensated with the chance that it had cost.")
    void compensated() {
        rejected();
        account.given(RECHARGED, spent(DRAWN, YESTERDAY, false, null))
                .when(new CompensateAward(ANN, AWARD, Remedy.RETURN_CHANCE))
                .expectEvents(new ChanceReturned(ACTIVITY, USER, DRAWN, YESTERDAY))
                .expectResultMessagePayload(Answer.done(AwardState.COMPENSATED));
        assertThat(raffle.stored(AWARD))
                .last()
                .isEqualTo(new AwardCompensated(AWARD, USER, Remedy.RETURN_CHANCE, null));
    }

    @Test
    @DisplayName("A compensated award stays as it is.")
    void compensatedOnce() {
        rejected();
        raffle.given(AWARD, new AwardCompensated(AWARD, USER, Remedy.RETURN_CHANCE, null));
        account.given(RECHARGED)
                .when(new CompensateAward(ANN, AWARD, Remedy.RETURN_CHANCE))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(AwardState.COMPENSATED));
    }

    @Test
    @DisplayName("An award is not replaced if its strategy has no fallback.")
    void noSubstitute() {
        rejected();
        raffle.given(DRAWN, RaffleInMemory.drawn(due(raffle, DRAWN, 0, 0)));
        account.given(RECHARGED)
                .when(new CompensateAward(ANN, AWARD, Remedy.SUBSTITUTE))
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.AWARD_STATE, AWARD.text()));
    }

    @Test
    @DisplayName("An award is not compensated before fulfilment has rejected it.")
    void notYetCompensated() {
        raffle.given(AWARD, RaffleInMemory.wonForLater(due(raffle, DRAWN, 0, 0)));
        account.given(RECHARGED)
                .when(new CompensateAward(ANN, AWARD, Remedy.RETURN_CHANCE))
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.AWARD_STATE, AWARD + " (WON)"));
    }
}
