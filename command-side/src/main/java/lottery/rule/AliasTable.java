package lottery.rule;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * An alias table over exact integer weights. A pick costs two random numbers and one comparison, however many outcomes
 * there are. The probability of each outcome is exactly in proportion to its weight, without rounding.
 *
 * <p>There is a column for each outcome, and every column is as wide as the sum of all weights. Below a threshold a
 * column belongs to its own outcome, and from there on to another outcome, its alias. Over all columns together, an
 * outcome owns its weight times the number of columns.
 */
final class AliasTable {

    /** The most decimals of a rate. With 18 decimals, weights are at most 10^18, which fits into a long. */
    static final int RATE_SCALE_MAX = 18;

    private final long width;
    private final long[] thresholds;
    private final int[] aliases;

    private AliasTable(long width, long[] thresholds, int[] aliases) {
        this.width = width;
        this.thresholds = thresholds;
        this.aliases = aliases;
    }

    /** Returns the rates as integers of one scale, so that they can be compared and added exactly. */
    static long[] weights(List<BigDecimal> rates) {
        int scale = scale(rates);
        return rates.stream()
                .mapToLong(rate -> rate.setScale(scale).unscaledValue().longValueExact())
                .toArray();
    }

    /** Returns the weight of the rate 1, at the scale of these rates. */
    static long whole(List<BigDecimal> rates) {
        return BigInteger.TEN.pow(scale(rates)).longValueExact();
    }

    private static int scale(List<BigDecimal> rates) {
        return Math.max(rates.stream().mapToInt(BigDecimal::scale).max().orElse(0), 0);
    }

    /** Builds a table with one outcome for each weight. */
    static AliasTable of(long... weights) {
        BigInteger whole = BigInteger.ZERO;
        for (long weight : weights) {
            whole = whole.add(BigInteger.valueOf(weight));
        }
        int columns = weights.length;
        BigInteger[] area = new BigInteger[columns];
        Deque<Integer> narrow = new ArrayDeque<>();
        Deque<Integer> wide = new ArrayDeque<>();
        for (int i = 0; i < columns; i++) {
            area[i] = BigInteger.valueOf(weights[i]).multiply(BigInteger.valueOf(columns));
            (area[i].compareTo(whole) < 0 ? narrow : wide).add(i);
        }
        long[] thresholds = new long[columns];
        int[] aliases = new int[columns];
        while (!narrow.isEmpty()) {
            int filled = narrow.remove();
            int donor = wide.element();
            thresholds[filled] = area[filled].longValueExact();
            aliases[filled] = donor;
            area[donor] = area[donor].subtract(whole.subtract(area[filled]));
            if (area[donor].compareTo(whole) < 0) {
                narrow.add(wide.remove());
            }
        }
        for (int full : wide) {
            thresholds[full] = whole.longValueExact();
            aliases[full] = full;
        }
        return new AliasTable(whole.longValueExact(), thresholds, aliases);
    }

    /** Picks an outcome, and returns the index of its weight. */
    int pick(RandomStream random) {
        int column = (int) random.below(thresholds.length);
        return at(column, random.below(width));
    }

    int at(int column, long position) {
        return position < thresholds[column] ? column : aliases[column];
    }

    int columns() {
        return thresholds.length;
    }

    long width() {
        return width;
    }
}
