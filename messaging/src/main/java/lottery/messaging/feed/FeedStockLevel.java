package lottery.messaging.feed;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How many units of an award or a budget are taken in one activity, and the lowest step that the feed has reported. A
 * step is a share of the stock that is left: 95, 90, … 0 percent. For each total number of units, each step is reported
 * at most once, even if units are returned.
 */
final class FeedStockLevel {

    private static final int STEP = 5;
    static final int WHOLE = 100;

    /**
     * The stock has fallen to a step for the first time. With 95, for example, at most 95 percent of the stock is left.
     *
     * @param percent the step, a multiple of 5: at most this percentage is left
     */
    record StockStep(long total, int percent, long left) {

        boolean isSoldOut() {
            return percent == 0;
        }
    }

    private final boolean isCounted;
    private long taken;
    private final Map<Long, Integer> lowest;
    private final Map<Long, Integer> fresh = new HashMap<>();

    /** @param lowest the lowest step that was reported, by the total number of units */
    FeedStockLevel(long taken, Map<Long, Integer> lowest) {
        this(taken, lowest, false);
    }

    private FeedStockLevel(long taken, Map<Long, Integer> lowest, boolean isCounted) {
        this.isCounted = isCounted;
        this.taken = taken;
        this.lowest = new HashMap<>(lowest);
    }

    /** Returns a level that a counter gives. All that was taken or given back is in it already. */
    static FeedStockLevel counted(long taken, Map<Long, Integer> lowest) {
        return new FeedStockLevel(taken, lowest, true);
    }

    /** Takes units for a win, and returns the lowest step that the stock has reached by the win. */
    Optional<StockStep> take(long units, long total) {
        add(units);
        long left = Math.max(0, total - taken);
        int percent = percentOf(left, total);
        if (percent >= lowest.getOrDefault(total, WHOLE)) {
            return Optional.empty();
        }
        lowest.put(total, percent);
        fresh.put(total, percent);
        return Optional.of(new StockStep(total, percent, left));
    }

    /** Returns the lowest step that is not below the share of units that are left. */
    private static int percentOf(long left, long total) {
        return Math.toIntExact(Math.ceilDiv(left * WHOLE, total * STEP)) * STEP;
    }

    void giveBack(long units) {
        add(-units);
    }

    private void add(long units) {
        if (!isCounted) {
            taken += units;
        }
    }

    long taken() {
        return taken;
    }

    /** Returns the lowest steps that are not stored yet, by the total number of units. */
    Map<Long, Integer> fresh() {
        return Map.copyOf(fresh);
    }
}
