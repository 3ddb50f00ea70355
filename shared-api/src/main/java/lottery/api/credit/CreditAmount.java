package lottery.api.credit;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The amount of credits that one booking moves: at most 12 digits before the point and 6 after it, and never zero. */
public final class CreditAmount {

    /** The pattern of an amount as text. The amount has a sign if credits are spent. */
    public static final String SHAPE = "(?!-?[0.]*$)-?[0-9]{1,12}(\\.[0-9]{1,6})?";

    /**
     * The largest amount. With this limit, a number with a huge exponent is refused before {@code @Digits} counts its
     * digits.
     */
    public static final String MOST = "999999999999.999999";

    private static final Pattern PATTERN = Pattern.compile(SHAPE);

    /** The key in the config of an award whose amount does not vary. */
    private static final String AWARD_KEY = "credits";

    private static final int INTEGER_DIGITS_MAX = 12;
    private static final int SCALE_MAX = 6;

    private CreditAmount() {}

    /** Returns the amount in a text; empty if it cannot be booked. */
    public static Optional<BigDecimal> of(String text) {
        return PATTERN.matcher(text).matches() ? Optional.of(plain(new BigDecimal(text))) : Optional.empty();
    }

    /**
     * Returns how many credits an award is worth; empty if its amount cannot be booked.
     *
     * @param drawn the amount that was drawn; null if the config has a fixed one
     */
    public static Optional<BigDecimal> ofAward(@Nullable BigDecimal drawn, Map<String, String> config) {
        Optional<BigDecimal> credits = drawn == null
                ? Optional.ofNullable(config.get(AWARD_KEY)).flatMap(CreditAmount::of)
                : Optional.of(drawn).filter(CreditAmount::isPossible).map(CreditAmount::plain);
        return credits.filter(amount -> amount.signum() > 0);
    }

    public static boolean isPossible(BigDecimal amount) {
        return amount.signum() != 0
                && amount.scale() <= SCALE_MAX
                && (long) amount.precision() - amount.scale() <= INTEGER_DIGITS_MAX;
    }

    /**
     * Returns an amount without superfluous zeros, so that equal amounts are equal numbers: 1.50 and 01.5 both become
     * 1.5.
     */
    public static BigDecimal plain(BigDecimal amount) {
        BigDecimal stripped = amount.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }
}
