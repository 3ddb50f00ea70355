package lottery.view.account;

import jakarta.persistence.Embeddable;
import java.time.LocalDate;
import java.time.YearMonth;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.ChancesLeft;
import lottery.api.account.ChancesLeft.DayTally;
import lottery.api.account.ChancesLeft.MonthTally;
import lottery.api.account.ChancesLeft.TotalTally;
import lottery.api.activity.Bundle;
import lottery.api.raffle.RaffleOrderId;
import org.jspecify.annotations.Nullable;

/**
 * What recharges have added up to, and what was spent of it. What is left is derived whenever somebody asks, so that
 * nothing has to happen at midnight.
 *
 * @param spentOn the last day on which a chance was spent; what was used in a month and on a day counts for that month
 *     and that day alone
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
            case AccountRecharged recharged -> plus(recharged.bundle());
            case ChanceSpent spent -> spent(spent.day());
            case OpenOrderUsed _ -> this;
            case ChanceReturned returned -> returned(returned.day());
        };
    }

    private ChanceCounts plus(Bundle bundle) {
        return new ChanceCounts(
                capped((long) totalCount + bundle.total()),
                totalUsed,
                capped((long) monthCount + bundle.month()),
                monthUsed,
                capped((long) dayCount + bundle.day()),
                dayUsed,
                spentOn);
    }

    /** The account itself stops counting there too. */
    private static int capped(long count) {
        return (int) Math.min(count, Integer.MAX_VALUE);
    }

    private ChanceCounts spent(LocalDate day) {
        return new ChanceCounts(
                totalCount, totalUsed + 1, monthCount, usedIn(YearMonth.from(day)) + 1, dayCount, usedOn(day) + 1, day);
    }

    /** A month and a day that are over are not counted any more. */
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
                new DayTally(dayCount, usedToday, dayCount - usedToday, today),
                openOrderId);
    }
}
