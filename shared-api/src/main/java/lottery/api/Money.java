package lottery.api;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.Optional;

/**
 * An amount of money, which is more than nothing. It has exactly the decimals of its currency, and is never rounded.
 *
 * @param currency the code of the currency by ISO 4217, for example CNY
 */
public record Money(
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal amount, String currency) {

    /** The largest amount, as text. */
    public static final String MOST = "999999999999";

    private static final BigDecimal MAX = new BigDecimal(MOST);

    public Money {
        if (!isPossible(amount, currency)) {
            throw new IllegalArgumentException("no amount of money: " + currency);
        }
        amount = amount.setScale(decimals(currency).orElseThrow());
    }

    /** Returns whether this is an amount that the currency has. */
    public static boolean isPossible(BigDecimal amount, String currency) {
        return amount.signum() > 0
                && amount.compareTo(MAX) <= 0
                && decimals(currency)
                        .filter(decimals -> amount.stripTrailingZeros().scale() <= decimals)
                        .isPresent();
    }

    /** Returns the number of decimals of a currency; empty if there is no such currency. */
    private static Optional<Integer> decimals(String currency) {
        try {
            return Optional.of(Currency.getInstance(currency).getDefaultFractionDigits())
                    .filter(digits -> digits >= 0);
        } catch (IllegalArgumentException unknown) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return amount.toPlainString() + " " + currency;
    }
}
