package lottery.view.stock;

import org.jspecify.annotations.Nullable;

/**
 * A limited stock of an activity.
 *
 * @param number of the award or the SKU
 * @param total as many as the newest version of the strategy or of the activity says; it can be less than is taken
 */
public record LimitedStock(
        long activityId, Kind kind, long number, @Nullable String title, int total, int taken) {

    /** What is on it. */
    public enum Kind {
        AWARD,
        SKU
    }

    /** Units beyond a total that was lowered count as taken: so the side that gives them away sees it. */
    public int left() {
        return Math.max(0, total - taken);
    }

    public boolean isSoldOut() {
        return left() == 0;
    }
}
