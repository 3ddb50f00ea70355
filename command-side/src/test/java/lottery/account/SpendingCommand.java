package lottery.account;

import static lottery.account.AccountFixture.DRAW;
import static lottery.account.AccountFixture.DRAW_CHOSEN;
import static lottery.account.AccountFixture.ENTER;
import static lottery.account.AccountFixture.PARTAKE;
import static lottery.account.AccountFixture.RECHARGED;
import static lottery.account.AccountFixture.REQUEST;
import static lottery.account.AccountFixture.assertThrown;
import static lottery.account.AccountFixture.fixture;
import static lottery.account.AccountFixture.refused;
import static lottery.raffle.RaffleInMemory.ACTIVITY;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import lottery.api.Refusal;
import lottery.api.account.AccountCommand;
import lottery.api.activity.StockId;
import lottery.raffle.RaffleInMemory;
import org.axonframework.test.aggregate.ResultValidator;

/**
 * A command that spends a chance, and the activity to which it is sent.
 *
 * @param isThrowing whether the command throws its refusal also if the account exists
 */
record SpendingCommand(AccountCommand<?> command, RaffleInMemory raffle, boolean isThrowing) {

    /** Returns all commands that spend a chance, each with an activity that accepts it. */
    static Stream<SpendingCommand> all() {
        return sentTo(RaffleInMemory::new, RaffleInMemory::pooled);
    }

    /** Returns the same commands, each with an activity that draws in the other way. */
    static Stream<SpendingCommand> withOtherDrawMode() {
        return sentTo(RaffleInMemory::pooled, RaffleInMemory::new);
    }

    /** Returns the same commands. Their activity does not exist. */
    static Stream<SpendingCommand> withoutActivity() {
        return sentTo(RaffleInMemory::withoutActivity, RaffleInMemory::withoutActivity);
    }

    private static Stream<SpendingCommand> sentTo(
            Supplier<RaffleInMemory> forDraws, Supplier<RaffleInMemory> forEntries) {
        return Stream.of(
                new SpendingCommand(PARTAKE, forDraws.get(), false),
                new SpendingCommand(DRAW, forDraws.get(), false),
                new SpendingCommand(DRAW_CHOSEN, forDraws.get(), true),
                new SpendingCommand(ENTER, forEntries.get(), false));
    }

    /** Checks that the command is refused to an account with chances, and that nothing is stored or taken. */
    void assertRefused(Refusal why, String subject, List<?> before) {
        long taken = participations();
        ResultValidator<ActivityAccount> result =
                fixture(raffle).given(RECHARGED).andGiven(before).when(command);
        if (isThrowing) {
            assertThrown(result, why, subject);
        } else {
            result.expectNoEvents().expectResultMessagePayload(refused(why, subject));
        }
        assertThat(participations()).isEqualTo(taken);
        assertThat(raffle.entries.of(ACTIVITY, REQUEST.id())).hasValue(0);
    }

    void assertRefused(Refusal why) {
        assertRefused(why, ACTIVITY.text(), List.of());
    }

    private long participations() {
        return raffle.stock.taken(StockId.ofActivity(ACTIVITY));
    }

    /** Returns the name of the command, for the name of a test. */
    @Override
    public String toString() {
        return command.getClass().getSimpleName();
    }
}
