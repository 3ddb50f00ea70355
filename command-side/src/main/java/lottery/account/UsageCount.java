package lottery.account;

import java.time.LocalDate;
import java.time.YearMonth;

/**
 * Counts how often something was done: in total, in the month of its last use, and on the day of its last use. The
 * count of the day reads as zero on any other day, and the count of the month reads as zero in any other month.
 */
record UsageCount(int total, YearMonth month, int inMonth, LocalDate day, int onDay) {

    static final UsageCount NONE = new UsageCount(0, YearMonth.from(LocalDate.EPOCH), 0, LocalDate.EPOCH, 0);

    int on(LocalDate today) {
        return day.equals(today) ? onDay : 0;
    }

    int in(YearMonth thisMonth) {
        return month.equals(thisMonth) ? inMonth : 0;
    }

    UsageCount plus(LocalDate today) {
        YearMonth thisMonth = YearMonth.from(today);
        return new UsageCount(total + 1, thisMonth, in(thisMonth) + 1, today, on(today) + 1);
    }

    /**
     * Returns the counts without one use on the given day. The counts of the month and of the day change only if that
     * day belongs to them. Counts of earlier months and days are not kept.
     */
    UsageCount minus(LocalDate then) {
        return new UsageCount(
                total - 1,
                month,
                month.equals(YearMonth.from(then)) ? inMonth - 1 : inMonth,
                day,
                day.equals(then) ? onDay - 1 : onDay);
    }
}
