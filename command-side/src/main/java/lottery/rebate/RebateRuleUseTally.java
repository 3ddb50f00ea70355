package lottery.rebate;

import java.time.LocalDate;
import java.time.YearMonth;
import lottery.api.rebate.RebateLimit.RebatePeriod;

/**
 * How often a rule has paid a user.
 *
 * @param day the latest day on which it has paid
 * @param onDay how often it has paid on that day
 * @param inMonth how often it has paid in the month of {@code day}
 */
record RebateRuleUseTally(LocalDate day, int onDay, int inMonth, int ever) {

    static final RebateRuleUseTally NONE = new RebateRuleUseTally(LocalDate.EPOCH, 0, 0, 0);

    static RebateRuleUseTally first(LocalDate day) {
        return NONE.plus(day);
    }

    /**
     * Returns the day on which a payment is counted now. It is never before the latest counted day. With an earlier day
     * from a slow clock, the count of a day would start again, and the rule could pay too often on it.
     */
    LocalDate today(LocalDate byTheClock) {
        return day.isAfter(byTheClock) ? day : byTheClock;
    }

    /** Returns how often it has paid in the period that a day belongs to. */
    int in(RebatePeriod period, LocalDate today) {
        return switch (period) {
            case DAY -> day.equals(today) ? onDay : 0;
            case MONTH -> YearMonth.from(day).equals(YearMonth.from(today)) ? inMonth : 0;
            case EVER -> ever;
        };
    }

    RebateRuleUseTally plus(LocalDate later) {
        return new RebateRuleUseTally(
                later, in(RebatePeriod.DAY, later) + 1, in(RebatePeriod.MONTH, later) + 1, ever + 1);
    }
}
