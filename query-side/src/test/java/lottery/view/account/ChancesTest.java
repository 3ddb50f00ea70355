package lottery.view.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.time.YearMonth;
import lottery.api.UserId;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountId;
import lottery.api.account.ChancesLeft;
import lottery.api.account.ChancesLeft.DayTally;
import lottery.api.account.ChancesLeft.MonthTally;
import lottery.api.account.ChancesLeft.Tally;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Bundle;
import lottery.api.raffle.RaffleOrderId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Chances")
class ChancesTest {

    private static final ActivityId ACTIVITY = new ActivityId(1);
    private static final UserId USER = new UserId("ann");
    private static final LocalDate LAST_OF_MARCH = LocalDate.parse("2026-03-31");
    private static final LocalDate FIRST_OF_APRIL = LocalDate.parse("2026-04-01");

    @Test
    @DisplayName("are zero before the first recharge")
    void none() {
        assertThat(Chances.NONE.on(LAST_OF_MARCH))
                .isEqualTo(new ChancesLeft(
                        new Tally(0, 0, 0),
                        new MonthTally(0, 0, 0, YearMonth.parse("2026-03")),
                        new DayTally(0, 0, 0, LAST_OF_MARCH)));
    }

    @Test
    @DisplayName("add up over recharges, and a spent one is used in total, in its month and on its day")
    void addUpAndAreSpent() {
        Chances chances = Chances.NONE
                .evolve(recharged(10, 5, 2))
                .evolve(recharged(10, 5, 2))
                .evolve(spent("2026-03-30"))
                .evolve(spent("2026-03-31"));

        assertThat(chances.on(LAST_OF_MARCH))
                .isEqualTo(new ChancesLeft(
                        new Tally(20, 2, 18),
                        new MonthTally(10, 2, 8, YearMonth.parse("2026-03")),
                        new DayTally(4, 1, 3, LAST_OF_MARCH)));
    }

    @Test
    @DisplayName("of a new day and a new month are unused, though nothing has happened since")
    void startAnew() {
        Chances chances = Chances.NONE.evolve(recharged(10, 5, 2)).evolve(spent("2026-03-31"));

        assertThat(chances.on(FIRST_OF_APRIL))
                .isEqualTo(new ChancesLeft(
                        new Tally(10, 1, 9),
                        new MonthTally(5, 0, 5, YearMonth.parse("2026-04")),
                        new DayTally(2, 0, 2, FIRST_OF_APRIL)));
    }

    @Test
    @DisplayName("that are spent in a new month count from one")
    void countFromOne() {
        Chances chances = Chances.NONE
                .evolve(recharged(10, 5, 2))
                .evolve(spent("2026-03-31"))
                .evolve(spent("2026-03-31"))
                .evolve(spent("2026-04-01"));

        assertThat(chances.on(FIRST_OF_APRIL).month().used()).isEqualTo(1);
        assertThat(chances.on(FIRST_OF_APRIL).day().used()).isEqualTo(1);
        assertThat(chances.on(FIRST_OF_APRIL).total().used()).isEqualTo(3);
    }

    @Test
    @DisplayName("stop at the largest number instead of starting below zero")
    void capped() {
        Chances almost = new Chances(Integer.MAX_VALUE - 1, 0, 0, 0, 0, 0, null);

        assertThat(almost.evolve(recharged(10, 5, 2)).totalCount()).isEqualTo(Integer.MAX_VALUE);
    }

    private static AccountRecharged recharged(int total, int month, int day) {
        return new AccountRecharged(ACTIVITY, USER, RechargeId.of(USER, "1"), new Bundle(total, month, day));
    }

    private static ChanceSpent spent(String day) {
        RaffleOrderId order = RaffleOrderId.derived(new AccountId(ACTIVITY, USER), day);
        return new ChanceSpent(ACTIVITY, USER, order, LocalDate.parse(day));
    }
}
