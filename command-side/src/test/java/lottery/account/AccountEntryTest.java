package lottery.account;

import static lottery.account.AccountFixture.ANN;
import static lottery.account.AccountFixture.CREATED;
import static lottery.account.AccountFixture.ENTER;
import static lottery.account.AccountFixture.OPEN;
import static lottery.account.AccountFixture.OPENED;
import static lottery.account.AccountFixture.RECHARGED;
import static lottery.account.AccountFixture.RECHARGED_OFTEN;
import static lottery.account.AccountFixture.REQUEST;
import static lottery.account.AccountFixture.TODAY;
import static lottery.account.AccountFixture.USER;
import static lottery.account.AccountFixture.YESTERDAY;
import static lottery.account.AccountFixture.fixture;
import static lottery.account.AccountFixture.spent;
import static lottery.account.AccountFixture.spentOn;
import static lottery.raffle.RaffleInMemory.ACTIVITY;
import static lottery.raffle.RaffleInMemory.NOW;
import static lottery.raffle.RaffleInMemory.PARTICIPATIONS;
import static org.assertj.core.api.Assertions.assertThat;

import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.UserId;
import lottery.api.account.AccountCommand.ReturnEntry;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.activity.StockId;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleOrderId;
import lottery.raffle.RaffleInMemory;
import org.axonframework.modelling.command.AggregateNotFoundException;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An account spends its chances for entries, and gets them back if the pool is cancelled.")
class AccountEntryTest {

    private static final RaffleOrderId ENTERED = REQUEST.id();
    private static final EntryMade ENTRY = new EntryMade(ENTERED, ACTIVITY, USER, YESTERDAY, true, 0, 0, NOW);
    private static final RaffleOrderCancelled CANCELLED = new RaffleOrderCancelled(ENTERED, USER, NOW);
    private static final ReturnEntry RETURN_ENTRY = new ReturnEntry(ANN, ENTERED);
    private static final StockId PARTICIPATION = StockId.ofActivity(ACTIVITY);

    private final RaffleInMemory raffle = RaffleInMemory.pooled();
    private final FixtureConfiguration<ActivityAccount> account = fixture(raffle);
    private final SpendingCommand entering = new SpendingCommand(ENTER, raffle, false);

    @Test
    @DisplayName("Entering spends a chance, and stores an entry with the number of the user's entries before it.")
    void entered() {
        account.given(RECHARGED_OFTEN, spentOn(YESTERDAY), spentOn(TODAY))
                .when(ENTER)
                .expectEvents(
                        spent(ENTERED, TODAY, false, true),
                        new EntryMade(ENTERED, ACTIVITY, USER, TODAY, true, 2, 1, NOW))
                .expectResultMessagePayload(Answer.done(ENTERED));
        assertThat(raffle.entries.of(ACTIVITY, ENTERED)).hasValue(1);
    }

    @Test
    @DisplayName("Nobody enters once the time for entries is over.")
    void timeOver() {
        raffle.closeEntries();
        entering.assertRefused(Refusal.ENTRIES_CLOSED);
    }

    @Test
    @DisplayName("Nobody enters a pool that is closed.")
    void poolClosed() {
        raffle.entries.close(ACTIVITY);
        entering.assertRefused(Refusal.ENTRIES_CLOSED);
    }

    @Test
    @DisplayName("A returned entry gives back its chance of that day and its participation, and is cancelled.")
    void returned() {
        raffle.given(ENTERED, ENTRY);
        raffle.stock.take(PARTICIPATION, PARTICIPATIONS);
        account.given(RECHARGED, spent(ENTERED, YESTERDAY, false, true))
                .when(RETURN_ENTRY)
                .expectEvents(new ChanceReturned(ACTIVITY, USER, ENTERED, YESTERDAY))
                .expectResultMessagePayload(Answer.done(ENTERED));
        assertThat(raffle.stored(ENTERED)).containsExactly(ENTRY, CANCELLED);
        assertThat(raffle.stock.taken(PARTICIPATION)).isZero();
    }

    @Test
    @DisplayName("An entry is returned once.")
    void returnedOnce() {
        raffle.given(ENTERED, ENTRY, CANCELLED);
        account.given(RECHARGED).when(RETURN_ENTRY).expectNoEvents().expectResultMessagePayload(Answer.done(ENTERED));
        assertThat(raffle.stored(ENTERED)).containsExactly(ENTRY, CANCELLED);
    }

    @Test
    @DisplayName("An order that is no entry stays as it is.")
    void openOrderNotReturned() {
        raffle.given(OPEN, CREATED);
        account.given(RECHARGED, OPENED)
                .when(new ReturnEntry(ANN, OPEN))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(OPEN));
        assertThat(raffle.stored(OPEN)).containsExactly(CREATED);
    }

    @Test
    @DisplayName("An order that does not exist is not returned.")
    void unknownOrderNotReturned() {
        account.given(RECHARGED).when(RETURN_ENTRY).expectNoEvents().expectResultMessagePayload(Answer.done(ENTERED));
        assertThat(raffle.stored(ENTERED)).isEmpty();
    }

    @Test
    @DisplayName("The chance of an entry is not given to somebody else.")
    void entryOfSomebodyElse() {
        EntryMade ofBen = new EntryMade(ENTERED, ACTIVITY, new UserId("ben"), YESTERDAY, true, 0, 0, NOW);
        raffle.given(ENTERED, ofBen);
        raffle.stock.take(PARTICIPATION, PARTICIPATIONS);
        account.given(RECHARGED)
                .when(RETURN_ENTRY)
                .expectNoEvents()
                .expectException(IllegalStateException.class)
                .expectExceptionMessage(ENTERED + " is no entry of " + ANN);
        assertThat(raffle.stored(ENTERED)).containsExactly(ofBen);
        assertThat(raffle.stock.taken(PARTICIPATION)).isEqualTo(1);
    }

    @Test
    @DisplayName("An entry is not returned to an account that does not exist.")
    void accountUnknown() {
        account.givenNoPriorActivity()
                .when(RETURN_ENTRY)
                .expectNoEvents()
                .expectException(AggregateNotFoundException.class);
    }
}
