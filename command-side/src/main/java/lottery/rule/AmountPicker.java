package lottery.rule;

import java.math.BigDecimal;
import lottery.api.strategy.AmountRange;

/** Draws the amount of an award whose amount varies. */
final class AmountPicker {

    private AmountPicker() {}

    static int scale(AmountRange range) {
        return Math.max(0, Math.max(range.min().scale(), range.max().scale()));
    }

    static BigDecimal drawn(AmountRange range, RandomStream random) {
        int scale = scale(range);
        long least = units(range.min(), scale);
        long most = units(range.max(), scale);
        return BigDecimal.valueOf(least + random.below(most - least + 1), scale);
    }

    private static long units(BigDecimal amount, int scale) {
        return amount.setScale(scale).unscaledValue().longValueExact();
    }
}
