package lottery.stock;

import lottery.api.activity.ActivityId;
import lottery.api.activity.Sku;

/**
 * Identifies a limited stock in an activity.
 *
 * @param number of the award or the SKU; of the activity itself, again
 */
public record StockId(StockKind kind, ActivityId activityId, long number) {

    /** The claims of a stock may all be read at once, which takes a second or so for the largest one. */
    public static final int TOTAL_MAX = 1_000_000;

    /** What is on a stock. */
    public enum StockKind {
        AWARD,
        SKU,
        /** Participations in the activity. */
        ACTIVITY
    }

    public static StockId ofAward(ActivityId activityId, int awardId) {
        return new StockId(StockKind.AWARD, activityId, awardId);
    }

    public static StockId ofSku(ActivityId activityId, Sku sku) {
        return new StockId(StockKind.SKU, activityId, sku.value());
    }

    public static StockId ofActivity(ActivityId activityId) {
        return new StockId(StockKind.ACTIVITY, activityId, activityId.value());
    }

    /** Of the claims, whose keys are the numbers of units. */
    String scope() {
        return switch (kind) {
            case AWARD -> "stock:" + activityId.value() + "/" + number;
            case SKU -> "sku:" + activityId.value() + "/" + number;
            case ACTIVITY -> "participations:" + activityId.value();
        };
    }
}
