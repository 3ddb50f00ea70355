package lottery.api.strategy;

import java.util.Map;
import java.util.regex.Pattern;

/** How many days the winner of a PHYSICAL award has to give an address: as many as its config says, or 30. */
public final class ClaimDays {

    /** The key of the number in the config. */
    public static final String KEY = "claimDays";

    private static final int USUAL = 30;
    private static final int MAX = 3_650;

    /** Matches only ASCII digits, and at most as many as an int holds. */
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,9}");

    private ClaimDays() {}

    /**
     * Returns whether the config has no number of days, or a number within the limits. Any other text must be refused.
     */
    public static boolean areFit(Map<String, String> config) {
        String days = config.get(KEY);
        return days == null || (isNumber(days) && Integer.parseInt(days) == within(days));
    }

    /**
     * Returns the days in which the winner has to claim the award. The config may be older than its check. So a number
     * outside the limits becomes the nearest limit, and any other text becomes 30.
     */
    public static int of(Map<String, String> config) {
        String days = config.get(KEY);
        return days != null && isNumber(days) ? within(days) : USUAL;
    }

    private static boolean isNumber(String days) {
        return DIGITS.matcher(days).matches();
    }

    private static int within(String number) {
        return Math.clamp(Integer.parseInt(number), 1, MAX);
    }
}
