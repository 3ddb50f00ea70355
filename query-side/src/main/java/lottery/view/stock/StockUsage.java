package lottery.view.stock;

import org.jspecify.annotations.Nullable;

/**
 * A limited stock of an activity.
 *
 * @param number the number of the award or the SKU
 * @param total the number of units. The total of an award is in the approved version of the strategy, that of a SKU in
 *     the activity. If the total was lowered, more units may be taken than the total
 */
public record StockUsage(
        long activityId,
        LimitedKind kind,
        long number,
        @Nullable String title,
        int total,
        int taken) {

    /** The kind of a stock. */
    public enum LimitedKind {
        AWARD,
        SKU
    }

    /** Returns the units that are left. If the total was lowered below the taken units, none is left. */
    public int left() {
        return Math.max(0, total - taken);
    }

    public boolean isSoldOut() {
        return left() == 0;
    }
}
