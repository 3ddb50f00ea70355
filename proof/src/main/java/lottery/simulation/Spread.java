package lottery.simulation;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * The distribution of one value over the runs, as decimal numbers in plain notation.
 *
 * @param deviation the standard deviation estimated from the runs; 0 for a single run
 */
record Spread(String mean, String deviation, String least, String most) {

    /** The precision; further digits would be noise. */
    private static final MathContext DIGITS = new MathContext(10, RoundingMode.HALF_EVEN);

    static Spread of(List<BigDecimal> values) {
        BigDecimal mean = sum(values).divide(BigDecimal.valueOf(values.size()), MathContext.DECIMAL128);
        return new Spread(
                plain(mean.round(DIGITS)),
                plain(deviation(values, mean).round(DIGITS)),
                plain(values.stream().min(Comparator.naturalOrder()).orElseThrow()),
                plain(values.stream().max(Comparator.naturalOrder()).orElseThrow()));
    }

    static <T> Spread of(Collection<T> runs, Function<T, BigDecimal> value) {
        return of(runs.stream().map(value).toList());
    }

    private static BigDecimal deviation(List<BigDecimal> values, BigDecimal mean) {
        if (values.size() == 1) {
            return BigDecimal.ZERO;
        }
        return sum(values.stream().map(value -> value.subtract(mean).pow(2)).toList())
                .divide(BigDecimal.valueOf(values.size() - 1L), MathContext.DECIMAL128)
                .sqrt(MathContext.DECIMAL128);
    }

    private static BigDecimal sum(List<BigDecimal> values) {
        return values.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    static String share(int part, int of) {
        return plain(BigDecimal.valueOf(part).divide(BigDecimal.valueOf(of), DIGITS));
    }

    static String plain(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
}
