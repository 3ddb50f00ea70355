package lottery.api.credit;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;

/** How many credits one booking can move: at most 12 digits before the point and 6 after it, and some at all. */
public final class CreditAmount {

    /** As text, with a sign where credits are spent. */
    public static final String SHAPE = "(?!-?[0.]*$)-?[0-9]{1,12}(\\.[0-9]{1,6})?";

    /** Before {@code @Digits} counts the digits of a number whose exponent is too large for it. */
    public static final String MOST = "999999999999.999999";

    private static final Pattern PATTERN = Pattern.compile(SHAPE);

    private static final int INTEGER_DIGITS_MAX = 12;
    private static final int SCALE_MAX = 6;

    private CreditAmount() {}

    /** What a text says; empty if that cannot be booked. */
    public static Optional<BigDecimal> of(String text) {
        return PATTERN.matcher(text).matches() ? Optional.of(plain(new BigDecimal(text))) : Optional.empty();
    }

    public static boolean isPossible(BigDecimal amount) {
        return amount.signum() != 0
                && amount.scale() <= SCALE_MAX
                && (long) amount.precision() - amount.scale() <= INTEGER_DIGITS_MAX;
    }

    /** The one way to write it, so that equal amounts are equal: 1.50 and 01.5 are 1.5. */
    public static BigDecimal plain(BigDecimal amount) {
        BigDecimal stripped = amount.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }
}
