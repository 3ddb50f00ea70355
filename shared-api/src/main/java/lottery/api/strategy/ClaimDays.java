package lottery.api.strategy;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads from the config of a PHYSICAL award how many days its winner has to give an address. If the config has no such
 * number, the winner has 30 days.
 */
public final class ClaimDays {

    /** The key of the number in the config. */
    public static final String KEY = "claimDays";

    private static final int USUAL = 30;
    private static final int MAX = 3_650;

    /** The pattern of the number. It matches only ASCII digits, and no more of them than fit into an int. */
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,9}");

    private ClaimDays() {}

    /**
     * Returns whether the config has no number of days, or a number within the limits. If it returns false, the config
     * must be refused.
     */
    public static boolean areFit(Map<String, String> config) {
        String days = config.get(KEY);
        return days == null || (DIGITS.matcher(days).matches() && isWithinLimits(Integer.parseInt(days)));
    }

    private static boolean isWithinLimits(int days) {
        return days >= 1 && days <= MAX;
    }

    /** Returns the number of days in a config that {@link #areFit} accepts. */
    public static int of(Map<String, String> config) {
        String days = config.get(KEY);
        return days == null ? USUAL : Integer.parseInt(days);
    }
}
