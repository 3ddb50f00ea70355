package lottery.api.activity;

import java.time.LocalDate;
import lottery.api.UserId;

/**
 * Identifies a limited stock in an activity.
 *
 * @param counter the name of the counter of the units that are taken
 */
public record StockId(String counter) {

    public static StockId ofAward(ActivityId activityId, int awardId) {
        return new StockId("award:" + activityId.value() + "/" + awardId);
    }

    public static StockId ofSku(ActivityId activityId, SkuId sku) {
        return new StockId("sku:" + activityId.value() + "/" + sku.value());
    }

    /** Returns the stock of the participations in an activity. */
    public static StockId ofActivity(ActivityId activityId) {
        return new StockId("participations:" + activityId.value());
    }

    /** Returns the stock of the payments of a user for a SKU that may wait at the same time. */
    public static StockId ofWaitingPayments(ActivityId activityId, UserId userId, SkuId sku) {
        return new StockId("payments:%d/%d/%s".formatted(activityId.value(), sku.value(), userId.value()));
    }

    /** Returns the stock of an activity's budget. Its units are the smallest ones in which budgets count. */
    public static StockId ofBudget(ActivityId activityId) {
        return new StockId("budget:" + activityId.value());
    }

    /** Returns the stock of an activity's budget for one day. */
    public static StockId ofBudget(ActivityId activityId, LocalDate day) {
        return new StockId("budget:" + activityId.value() + "/" + day);
    }
}
