package lottery.strategy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * An alias table over exact integer weights: a pick costs two numbers and one comparison, however many outcomes there
 * are, and each outcome appears exactly by its weight, with no rounding anywhere.
 *
 * <p>Every column is as wide as all weights together. A column belongs to its own outcome up to its threshold and to
 * its alias from there on; over all columns each outcome owns its weight times the number of columns.
 */
final class Odds {

    /** The finest rate that fits: weights up to 10^18 fit into a long. */
    static final int RATE_SCALE_MAX = 18;

    private final long width;
    private final long[] thresholds;
    private final int[] aliases;

    private Odds(long width, long[] thresholds, int[] aliases) {
        this.width = width;
        this.thresholds = thresholds;
        this.aliases = aliases;
    }

    /** The odds of the given rates, whose sum is at most one; the rest up to one is one more outcome, the last. */
    static Odds of(List<BigDecimal> rates) {
        int scale = rates.stream().mapToInt(BigDecimal::scale).max().orElse(0);
        BigInteger whole = BigInteger.TEN.pow(Math.max(scale, 0));
        BigInteger[] weights = new BigInteger[rates.size() + 1];
        BigInteger rest = whole;
        for (int i = 0; i < rates.size(); i++) {
            weights[i] = rates.get(i).setScale(Math.max(scale, 0)).unscaledValue();
            rest = rest.subtract(weights[i]);
        }
        weights[rates.size()] = rest;
        return ofWeights(weights, whole);
    }

    private static Odds ofWeights(BigInteger[] weights, BigInteger whole) {
        int columns = weights.length;
        BigInteger[] area = new BigInteger[columns];
        Deque<Integer> narrow = new ArrayDeque<>();
        Deque<Integer> wide = new ArrayDeque<>();
        for (int i = 0; i < columns; i++) {
            area[i] = weights[i].multiply(BigInteger.valueOf(columns));
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
        return new Odds(whole.longValueExact(), thresholds, aliases);
    }

    /** The outcome that this ticket picks: the index of a rate, or the number of rates for none of them. */
    int pick(Chance chance) {
        int column = (int) chance.below(thresholds.length);
        return at(column, chance.below(width));
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
