package lottery.stock;

import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;

/**
 * Identifies a limited stock in an activity.
 *
 * @param number the number of the award or of the SKU; for participations, the number of the activity
 */
public record StockId(StockKind kind, ActivityId activityId, long number) {

    /** The kind of a stock. */
    public enum StockKind {
        AWARD,
        SKU,
        /** The participations in the activity. */
        ACTIVITY
    }

    public static StockId ofAward(ActivityId activityId, int awardId) {
        return new StockId(StockKind.AWARD, activityId, awardId);
    }

    public static StockId ofSku(ActivityId activityId, SkuId sku) {
        return new StockId(StockKind.SKU, activityId, sku.value());
    }

    public static StockId ofActivity(ActivityId activityId) {
        return new StockId(StockKind.ACTIVITY, activityId, activityId.value());
    }

    /** Returns the name of the counter of the units that are taken. */
    String counter() {
        return switch (kind) {
            case AWARD -> "award:" + activityId.value() + "/" + number;
            case SKU -> "sku:" + activityId.value() + "/" + number;
            case ACTIVITY -> "participations:" + activityId.value();
        };
    }
}
