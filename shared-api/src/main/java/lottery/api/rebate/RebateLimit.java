package lottery.api.rebate;

/**
 * How often a rule gives its rebates to one user.
 *
 * @param count how often the rule gives its rebates in the period, at least once
 */
public record RebateLimit(int count, RebatePeriod period) {

    public static final int COUNT_MAX = 1_000_000;

    /** The period of a limit: a day or month in the zone of the lottery, or all time. */
    public enum RebatePeriod {
        DAY,
        MONTH,
        EVER
    }

    public RebateLimit {
        if (count < 1 || count > COUNT_MAX) {
            throw new IllegalArgumentException("a limit is 1 to " + COUNT_MAX);
        }
    }
}
