package lottery.rebate;

import java.time.LocalDate;
import java.time.YearMonth;
import lottery.api.rebate.RebateLimit.RebatePeriod;

/**
 * How often a rule has given a user its rebates.
 *
 * @param day the latest day on which the rule was used
 * @param onDay how often the rule was used on that day
 * @param inMonth how often the rule was used in the month of {@code day}
 */
record RebateRuleUseTally(LocalDate day, int onDay, int inMonth, int ever) {

    static final RebateRuleUseTally NONE = new RebateRuleUseTally(LocalDate.EPOCH, 0, 0, 0);

    static RebateRuleUseTally first(LocalDate day) {
        return NONE.plus(day);
    }

    /**
     * Returns the day on which a use of the rule is counted now. This day is never before the latest counted day. If a
     * slow clock gave an earlier day, the count of a day would start again. Then the rule could be used too often on
     * that day.
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
