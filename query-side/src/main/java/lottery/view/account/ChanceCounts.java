package lottery.view.account;

import jakarta.persistence.Embeddable;
import java.time.LocalDate;
import java.time.YearMonth;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountEvent.AccountOpened;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.LimitedAwardWon;
import lottery.api.account.AccountEvent.LimitedSkuTaken;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.ChancesLeft;
import lottery.api.account.ChancesLeft.DayChances;
import lottery.api.account.ChancesLeft.MonthTally;
import lottery.api.account.ChancesLeft.TotalTally;
import lottery.api.activity.ChanceBundle;
import lottery.api.raffle.RaffleOrderId;
import org.jspecify.annotations.Nullable;

/**
 * The sums of granted and spent chances. The chances that are left are computed for each query, so that no row has to
 * be changed at midnight.
 *
 * @param spentOn the last day on which a chance was spent; the counts of spent chances in a month and on a day belong
 *     to this day and its month
 */
@Embeddable
record ChanceCounts(
        int totalCount,
        int totalUsed,
        int monthCount,
        int monthUsed,
        int dayCount,
        int dayUsed,
        @Nullable LocalDate spentOn) {

    static final ChanceCounts NONE = new ChanceCounts(0, 0, 0, 0, 0, 0, null);

    ChanceCounts evolve(AccountEvent event) {
        return switch (event) {
            case AccountOpened opened -> plus(opened.bundle());
            case AccountRecharged recharged -> plus(recharged.bundle());
            case ChanceSpent spent -> spent(spent.day());
            case OpenOrderUsed _, LimitedAwardWon _, LimitedSkuTaken _ -> this;
            case ChanceReturned returned -> returned(returned.day());
        };
    }

    ChanceCounts plus(ChanceBundle bundle) {
        return new ChanceCounts(
                capped((long) totalCount + bundle.total()),
                totalUsed,
                capped((long) monthCount + bundle.month()),
                monthUsed,
                capped((long) dayCount + bundle.day()),
                dayUsed,
                spentOn);
    }

    /** Limits the count to the largest number, as the account does. */
    private static int capped(long count) {
        return (int) Math.min(count, Integer.MAX_VALUE);
    }

    private ChanceCounts spent(LocalDate day) {
        return new ChanceCounts(
                totalCount, totalUsed + 1, monthCount, usedIn(YearMonth.from(day)) + 1, dayCount, usedOn(day) + 1, day);
    }

    /**
     * Returns the counts after a chance was given back. Only the counts of the last month and day are kept, so earlier
     * ones do not change.
     */
    private ChanceCounts returned(LocalDate day) {
        return new ChanceCounts(
                totalCount,
                totalUsed - 1,
                monthCount,
                isInMonth(YearMonth.from(day)) ? monthUsed - 1 : monthUsed,
                dayCount,
                day.equals(spentOn) ? dayUsed - 1 : dayUsed,
                spentOn);
    }

    private int usedIn(YearMonth month) {
        return isInMonth(month) ? monthUsed : 0;
    }

    private boolean isInMonth(YearMonth month) {
        return spentOn != null && YearMonth.from(spentOn).equals(month);
    }

    private int usedOn(LocalDate day) {
        return day.equals(spentOn) ? dayUsed : 0;
    }

    ChancesLeft on(LocalDate today, @Nullable RaffleOrderId openOrderId) {
        YearMonth month = YearMonth.from(today);
        int usedInMonth = usedIn(month);
        int usedToday = usedOn(today);
        return new ChancesLeft(
                new TotalTally(totalCount, totalUsed, totalCount - totalUsed),
                new MonthTally(monthCount, usedInMonth, monthCount - usedInMonth, month),
                new DayChances(dayCount, usedToday, dayCount - usedToday, today),
                openOrderId);
    }
}
