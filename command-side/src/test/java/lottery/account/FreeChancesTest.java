package lottery.account;

import static lottery.account.AccountFixture.ANN;
import static lottery.account.AccountFixture.DRAW;
import static lottery.account.AccountFixture.LAST_MONTH;
import static lottery.account.AccountFixture.PARTAKE;
import static lottery.account.AccountFixture.RECHARGED;
import static lottery.account.AccountFixture.REQUEST;
import static lottery.account.AccountFixture.TODAY;
import static lottery.account.AccountFixture.USER;
import static lottery.account.AccountFixture.YESTERDAY;
import static lottery.account.AccountFixture.assertThrown;
import static lottery.account.AccountFixture.due;
import static lottery.account.AccountFixture.fixture;
import static lottery.account.AccountFixture.refused;
import static lottery.account.AccountFixture.spent;
import static lottery.account.AccountFixture.spentOn;
import static lottery.raffle.RaffleInMemory.ACTIVITY;
import static lottery.raffle.RaffleInMemory.NOW;
import static lottery.raffle.RaffleInMemory.PARTICIPATIONS;
import static org.axonframework.test.matchers.Matchers.payloadsMatching;
import static org.axonframework.test.matchers.Matchers.predicate;

import lottery.api.Refusal;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.account.AccountEvent.AccountOpened;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.activity.ChanceBundle;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.raffle.RaffleInMemory;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The free chances of an activity are given with the first draw or order, once.")
class FreeChancesTest {

    private static final ChanceBundle TWO_ONE_A_DAY = new ChanceBundle(2, 2, 1);
    private static final AccountOpened FREE = new AccountOpened(ACTIVITY, USER, TWO_ONE_A_DAY);

    private final RaffleInMemory raffle = new RaffleInMemory(TWO_ONE_A_DAY);
    private final FixtureConfiguration<ActivityAccount> account = fixture(raffle);

    @Test
    @DisplayName("The first draw of a user opens the account with free chances, in the same commit.")
    void drawn() {
        account.givenNoPriorActivity()
                .when(DRAW)
                .expectEvents(
                        FREE,
                        spent(REQUEST.id(), TODAY, false, true),
                        RaffleInMemory.drawn(due(raffle, REQUEST.id(), 0, 0)),
                        RaffleInMemory.won(due(raffle, REQUEST.id(), 0, 0)));
    }

    @Test
    @DisplayName("The first order of a user opens the account with free chances, too.")
    void partaken() {
        account.givenNoPriorActivity()
                .when(PARTAKE)
                .expectEvents(
                        FREE,
                        spent(REQUEST.id(), TODAY, true, true),
                        new RaffleOrderCreated(REQUEST.id(), ACTIVITY, USER, NOW));
    }

    @Test
    @DisplayName("Free chances are given once, and limited by day like all others.")
    void once() {
        account.given(FREE, spentOn(TODAY))
                .when(DRAW)
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.QUOTA_DAY));
        account.given(FREE, spentOn(LAST_MONTH), spentOn(YESTERDAY))
                .when(DRAW)
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.QUOTA_TOTAL));
    }

    @Test
    @DisplayName("Free chances add to the chances of an account that began with a recharge.")
    void addedToRecharge() {
        account.given(RECHARGED, spentOn(TODAY))
                .when(PARTAKE)
                .expectEvents(
                        FREE,
                        spent(REQUEST.id(), TODAY, true, true),
                        new RaffleOrderCreated(REQUEST.id(), ACTIVITY, USER, NOW));
    }

    @Test
    @DisplayName("Several draws at once open an account with free chances once.")
    void several() {
        Draw three = new Draw(ANN, REQUEST, 3);
        account.given(RECHARGED)
                .when(three)
                .expectEventsMatching(payloadsMatching(predicate(events -> events.stream()
                                        .filter(FREE::equals)
                                        .count()
                                == 1
                        && events.stream().filter(ChanceSpent.class::isInstance).count() == 2)));
    }

    @Test
    @DisplayName("Free chances are not given when all participations of the activity are taken.")
    void noParticipationLeft() {
        raffle.takeParticipations(PARTICIPATIONS);
        assertThrown(account.givenNoPriorActivity().when(DRAW), Refusal.ACTIVITY_FULL, ACTIVITY.text());
    }
}
