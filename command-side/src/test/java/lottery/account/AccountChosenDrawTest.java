package lottery.account;

import static lottery.account.AccountFixture.ANN;
import static lottery.account.AccountFixture.DRAW_CHOSEN;
import static lottery.account.AccountFixture.OPEN;
import static lottery.account.AccountFixture.OPENED;
import static lottery.account.AccountFixture.RECHARGED;
import static lottery.account.AccountFixture.REQUEST;
import static lottery.account.AccountFixture.TAKEN;
import static lottery.account.AccountFixture.TODAY;
import static lottery.account.AccountFixture.assertThrown;
import static lottery.account.AccountFixture.due;
import static lottery.account.AccountFixture.fixture;
import static lottery.account.AccountFixture.refused;
import static lottery.account.AccountFixture.spent;
import static lottery.raffle.RaffleInMemory.ACTIVITY;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.List;
import java.util.Optional;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.account.AccountCommand.DrawChosen;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.DrawRequestResult;
import lottery.api.raffle.DrawResult;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.raffle.DrawDecisionInput;
import lottery.raffle.RaffleInMemory;
import lottery.store.commit.UniqueKeyClaim;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@code ActivityAccountTest} has the refusals of the draw itself, which are thrown. */
@DisplayName("A key draws in one chosen activity.")
class AccountChosenDrawTest {

    private static final String SCOPE = "choices:ann";

    private final RaffleInMemory raffle = new RaffleInMemory();
    private final FixtureConfiguration<ActivityAccount> account = fixture(raffle);

    private void choose(ActivityId activityId) {
        when(raffle.claims.holderOf(SCOPE, DRAW_CHOSEN.key())).thenReturn(Optional.of(activityId.text()));
    }

    private void assertDrawn() {
        DrawDecisionInput due = due(raffle, REQUEST.id(), 0, 0);
        RaffleDrawn drawn = RaffleInMemory.drawn(due);
        account.given(RECHARGED)
                .when(DRAW_CHOSEN)
                .expectEvents(spent(REQUEST.id(), TODAY, false, true), drawn, RaffleInMemory.won(due))
                .expectResultMessagePayload(Answer.done(new DrawRequestResult(List.of(DrawResult.of(drawn)), null)));
    }

    private void assertNothingClaimed() {
        verify(raffle.claims, never()).take(any());
    }

    @Test
    @DisplayName("The first draw under a key claims its activity for that key.")
    void claimed() {
        assertDrawn();
        verify(raffle.claims).take(new UniqueKeyClaim(SCOPE, DRAW_CHOSEN.key(), ACTIVITY.text()));
    }

    @Test
    @DisplayName("A draw in the activity that its key has claimed claims nothing.")
    void claimedBefore() {
        choose(ACTIVITY);
        assertDrawn();
        assertNothingClaimed();
    }

    @Test
    @DisplayName("A key that has claimed another activity does not draw.")
    void keyOfAnotherActivity() {
        choose(new ActivityId(101));
        account.given(RECHARGED)
                .when(DRAW_CHOSEN)
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.KEY_REUSED));
        assertNothingClaimed();
    }

    @Test
    @DisplayName("A key that has claimed another activity does not begin an account.")
    void accountNotBegun() {
        choose(new ActivityId(101));
        assertThrown(account.givenNoPriorActivity().when(DRAW_CHOSEN), Refusal.KEY_REUSED, ANN.text());
        assertNothingClaimed();
    }

    @Test
    @DisplayName("The key under which the open order was created cannot be used, and the refusal is thrown.")
    void keyOfOpenOrder() {
        assertThrown(
                account.given(RECHARGED, OPENED).when(new DrawChosen(new Draw(ANN, TAKEN, 1), "take")),
                Refusal.KEY_REUSED,
                OPEN.text());
    }
}
