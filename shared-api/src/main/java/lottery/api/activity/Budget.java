package lottery.api.activity;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.math.RoundingMode;
import lottery.api.credit.CreditAmount;
import org.jspecify.annotations.Nullable;

/**
 * How much the awards of an activity may cost. The budget is never exceeded.
 *
 * @param amount how much all wins together may cost
 * @param perDay how much the wins of one day may cost, in the activity's zone; null if there is no such limit
 */
public record Budget(
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal amount,

        @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
        BigDecimal perDay,

        OnReached onReached) {

    /** The largest amount, as text. */
    public static final String MOST = "1000000000";

    /** The number of decimals of amounts and costs. */
    public static final int SCALE = 6;

    /** What happens when too little is left. */
    public enum OnReached {
        /** Draws do not win the awards that cost more than is left, as if these were sold out. */
        FALLBACK,
        /** No draw is made until the most expensive award can be paid again. */
        PAUSE
    }

    /** Returns an amount in the smallest units in which budgets count, rounded up. */
    public static long units(BigDecimal amount) {
        BigDecimal units = amount.movePointRight(SCALE).setScale(0, RoundingMode.CEILING);
        // No budget is large enough for more, so nothing is lost.
        return units.min(BigDecimal.valueOf(Long.MAX_VALUE / 2)).longValueExact();
    }

    /** Returns the amount of this number of units. */
    public static BigDecimal amountOf(long units) {
        return CreditAmount.plain(BigDecimal.valueOf(units, SCALE));
    }
}
