package lottery.api.strategy;

import java.util.Map;
import java.util.regex.Pattern;

/** For how many days the winner of a PHYSICAL award can say where to: as many as its config says, or a month. */
public final class ClaimDays {

    /** Where the config says it. */
    public static final String KEY = "claimDays";

    private static final int USUAL = 30;
    private static final int MAX = 3_650;

    /** ASCII digits alone, and no more of them than an int holds. */
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,9}");

    private ClaimDays() {}

    /** What is no number of days, or too many, must not be taken for another one without a word. */
    public static boolean areFit(Map<String, String> config) {
        String days = config.get(KEY);
        return days == null || (isNumber(days) && Integer.parseInt(days) == within(days));
    }

    /** Of an award that was won, perhaps before anybody looked whether they are fit: the nearest that are. */
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
