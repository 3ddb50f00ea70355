package lottery.messaging.feed;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The taken units of one award in one activity, and the steps that the feed has reported. A step is a share of the
 * stock that is left: 95, 90, … 0 percent. For each total number of units, each step is reported at most once, even if
 * units are returned.
 */
final class FeedStockLevel {

    private static final int STEP = 5;
    private static final int WHOLE = 100;

    /**
     * The stock has fallen to a step for the first time. With 95, for example, at most 95 percent of the stock is left.
     *
     * @param percent the step, a multiple of 5: at most this percentage is left
     * @param position the position of the win that has reached the step
     */
    record StockStep(int total, int percent, int left, long position) {

        boolean isSoldOut() {
            return percent == 0;
        }
    }

    private final BitSet taken;
    private final List<StockStep> steps;
    private final List<StockStep> fresh = new ArrayList<>();

    FeedStockLevel(BitSet taken, List<StockStep> steps) {
        this.taken = taken;
        this.steps = new ArrayList<>(steps);
    }

    /**
     * Takes a unit for a win, and returns the lowest step that the stock has reached by the win. For a win that is
     * counted already, the result is the same as the first time.
     *
     * @param position the position of the win
     */
    Optional<StockStep> take(int unit, int total, long position) {
        Optional<StockStep> told =
                steps.stream().filter(step -> step.position() == position).findFirst();
        if (told.isPresent() || taken.get(unit)) {
            return told;
        }
        taken.set(unit);
        int left = Math.max(0, total - taken.cardinality());
        int percent = percentOf(left, total);
        if (percent >= lowest(total)) {
            return Optional.empty();
        }
        StockStep step = new StockStep(total, percent, left, position);
        steps.add(step);
        fresh.add(step);
        return Optional.of(step);
    }

    /** Returns the lowest step that is not below the share of units that are left. */
    private static int percentOf(int left, int total) {
        return Math.toIntExact(Math.ceilDiv((long) left * WHOLE, (long) total * STEP)) * STEP;
    }

    private int lowest(int total) {
        return steps.stream()
                .filter(step -> step.total() == total)
                .mapToInt(StockStep::percent)
                .min()
                .orElse(WHOLE);
    }

    void giveBack(int unit) {
        taken.clear(unit);
    }

    byte[] taken() {
        return taken.toByteArray();
    }

    /** Returns the steps that are not stored yet. */
    List<StockStep> fresh() {
        return List.copyOf(fresh);
    }
}
