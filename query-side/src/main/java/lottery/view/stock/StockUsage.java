package lottery.view.stock;

import org.jspecify.annotations.Nullable;

/**
 * A limited stock of an activity.
 *
 * @param number the number of the award or the SKU
 * @param total the units by the approved version of the strategy, or by the activity; it can be less than the number of
 *     taken units if it was lowered
 */
public record StockUsage(
        long activityId, Kind kind, long number, @Nullable String title, int total, int taken) {

    /** The kind of a stock. */
    public enum Kind {
        AWARD,
        SKU
    }

    /**
     * Returns the units that are left. If the total was lowered, taken units above it still count as taken, as on the
     * command side.
     */
    public int left() {
        return Math.max(0, total - taken);
    }

    public boolean isSoldOut() {
        return left() == 0;
    }
}
