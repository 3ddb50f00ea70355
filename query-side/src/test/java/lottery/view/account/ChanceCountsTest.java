package lottery.view.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.time.YearMonth;
import lottery.api.UserId;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.AccountId;
import lottery.api.account.ChancesLeft;
import lottery.api.account.ChancesLeft.DayChances;
import lottery.api.account.ChancesLeft.MonthTally;
import lottery.api.account.ChancesLeft.TotalTally;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The counts of chances")
class ChanceCountsTest {

    private static final ActivityId ACTIVITY = new ActivityId(1);
    private static final UserId USER = new UserId("ann");
    private static final RaffleOrderId ORDER =
            RaffleRequestIdentity.of(new AccountId(ACTIVITY, USER), "key").id();
    private static final LocalDate LAST_OF_MARCH = LocalDate.parse("2026-03-31");
    private static final LocalDate FIRST_OF_APRIL = LocalDate.parse("2026-04-01");

    @Test
    @DisplayName("The counts are zero before the first recharge.")
    void none() {
        assertThat(ChanceCounts.NONE.on(LAST_OF_MARCH, null))
                .isEqualTo(new ChancesLeft(
                        new TotalTally(0, 0, 0),
                        new MonthTally(0, 0, 0, YearMonth.parse("2026-03")),
                        new DayChances(0, 0, 0, LAST_OF_MARCH),
                        null));
    }

    @Test
    @DisplayName("Recharges add up, and a spent chance counts in total, in its month and on its day.")
    void addUpAndAreSpent() {
        ChanceCounts chances = ChanceCounts.NONE
                .evolve(recharged(10, 5, 2))
                .evolve(recharged(10, 5, 2))
                .evolve(spent("2026-03-30"))
                .evolve(spent("2026-03-31"));

        assertThat(chances.on(LAST_OF_MARCH, null))
                .isEqualTo(new ChancesLeft(
                        new TotalTally(20, 2, 18),
                        new MonthTally(10, 2, 8, YearMonth.parse("2026-03")),
                        new DayChances(4, 1, 3, LAST_OF_MARCH),
                        null));
    }

    @Test
    @DisplayName("A new day and a new month begin without used chances, although no event has happened.")
    void startAnew() {
        ChanceCounts chances = ChanceCounts.NONE.evolve(recharged(10, 5, 2)).evolve(spent("2026-03-31"));

        assertThat(chances.on(FIRST_OF_APRIL, null))
                .isEqualTo(new ChancesLeft(
                        new TotalTally(10, 1, 9),
                        new MonthTally(5, 0, 5, YearMonth.parse("2026-04")),
                        new DayChances(2, 0, 2, FIRST_OF_APRIL),
                        null));
    }

    @Test
    @DisplayName("Chances spent in a new month count from one.")
    void countFromOne() {
        ChanceCounts chances = ChanceCounts.NONE
                .evolve(recharged(10, 5, 2))
                .evolve(spent("2026-03-31"))
                .evolve(spent("2026-03-31"))
                .evolve(spent("2026-04-01"));

        assertThat(chances.on(FIRST_OF_APRIL, null).month().used()).isEqualTo(1);
        assertThat(chances.on(FIRST_OF_APRIL, null).day().used()).isEqualTo(1);
        assertThat(chances.on(FIRST_OF_APRIL, null).total().used()).isEqualTo(3);
    }

    @Test
    @DisplayName("The counts stop at the largest number instead of becoming negative.")
    void capped() {
        ChanceCounts almost = new ChanceCounts(Integer.MAX_VALUE - 1, 0, 0, 0, 0, 0, null);

        assertThat(almost.evolve(recharged(10, 5, 2)).totalCount()).isEqualTo(Integer.MAX_VALUE);
    }

    private static AccountRecharged recharged(int total, int month, int day) {
        return new AccountRecharged(ACTIVITY, USER, RechargeId.of(USER, "1"), new ChanceBundle(total, month, day));
    }

    private static ChanceSpent spent(String day) {
        return new ChanceSpent(ACTIVITY, USER, ORDER, LocalDate.parse(day), false, false);
    }

    @Nested
    @DisplayName("A chance that was spent on an open order")
    class SpentOnOpenOrder {

        private final ChanceCounts spent = ChanceCounts.NONE
                .evolve(recharged(10, 5, 2))
                .evolve(spent("2026-03-30"))
                .evolve(new ChanceSpent(ACTIVITY, USER, ORDER, LAST_OF_MARCH, true, false));

        private ChancesLeft left(ChanceCounts chances, LocalDate today) {
            return chances.on(today, null);
        }

        @Test
        @DisplayName("The chance is used on the day of spending.")
        void used() {
            assertUsed(left(spent, LAST_OF_MARCH), 2, 2, 1);
        }

        @Test
        @DisplayName("The draw does not use the chance again, also on the next day and in the next month.")
        void drawn() {
            ChanceCounts drawn = spent.evolve(new OpenOrderUsed(ACTIVITY, USER, ORDER, FIRST_OF_APRIL));

            assertUsed(left(drawn, FIRST_OF_APRIL), 2, 0, 0);
            assertThat(drawn).isEqualTo(spent);
        }

        @Test
        @DisplayName("A chance that is returned on the same day comes back in total, in the month and on the day.")
        void returnedOnTheSameDay() {
            assertUsed(left(spent.evolve(returned()), LAST_OF_MARCH), 1, 1, 0);
        }

        @Test
        @DisplayName("A chance that is returned after a later day was booked comes back in total and in the month.")
        void returnedOnAnotherDay() {
            ChanceCounts chances = ChanceCounts.NONE
                    .evolve(recharged(10, 5, 2))
                    .evolve(new ChanceSpent(ACTIVITY, USER, ORDER, LocalDate.parse("2026-03-30"), true, false))
                    .evolve(spent("2026-03-31"))
                    .evolve(new ChanceReturned(ACTIVITY, USER, ORDER, LocalDate.parse("2026-03-30")));

            assertUsed(left(chances, LAST_OF_MARCH), 1, 1, 1);
        }

        @Test
        @DisplayName("A chance that is returned after a later month was booked comes back in total only.")
        void returnedInAnotherMonth() {
            ChanceCounts chances = spent.evolve(spent("2026-04-01")).evolve(returned());

            assertUsed(left(chances, FIRST_OF_APRIL), 2, 1, 1);
        }

        @Test
        @DisplayName("A chance can be returned on a new day on which nothing was booked yet.")
        void returnedLater() {
            ChanceCounts chances = spent.evolve(returned());

            assertUsed(left(chances, FIRST_OF_APRIL), 1, 0, 0);
            assertUsed(left(chances.evolve(spent("2026-04-01")), FIRST_OF_APRIL), 2, 1, 1);
        }

        private ChanceReturned returned() {
            return new ChanceReturned(ACTIVITY, USER, ORDER, LAST_OF_MARCH);
        }

        private void assertUsed(ChancesLeft left, int total, int month, int day) {
            assertThat(left.total()).isEqualTo(new TotalTally(10, total, 10 - total));
            assertThat(left.month().used()).isEqualTo(month);
            assertThat(left.month().left()).isEqualTo(5 - month);
            assertThat(left.day().used()).isEqualTo(day);
            assertThat(left.day().left()).isEqualTo(2 - day);
        }
    }
}
