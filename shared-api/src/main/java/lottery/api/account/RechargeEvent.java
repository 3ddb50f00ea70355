package lottery.api.account;

import java.time.Instant;
import lottery.api.EventName;
import lottery.api.EventOfUser;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuId;
import org.jspecify.annotations.Nullable;

/** The events of a recharge. */
public sealed interface RechargeEvent extends EventOfUser {

    RechargeId rechargeId();

    /**
     * A recharge was ordered, and waits for its payment. Its chances come when it is completed.
     *
     * @param unit the unit of a limited SKU that is reserved for it
     * @param payBy the time at which it is closed if it is still waiting then
     */
    @EventName("recharge.ordered")
    record RechargeOrdered(
            RechargeId rechargeId,
            ActivityId activityId,
            UserId userId,
            SkuId sku,
            String outBusinessNo,
            ChanceBundle bundle,
            @Nullable Integer unit,
            Instant payBy)
            implements RechargeEvent {}

    /**
     * A recharge was completed. Its chances were added in the same commit.
     *
     * @param unit the unit of a limited SKU that it took
     */
    @EventName("recharge.completed")
    record RechargeCompleted(
            RechargeId rechargeId,
            ActivityId activityId,
            UserId userId,
            SkuId sku,
            String outBusinessNo,
            ChanceBundle bundle,
            @Nullable Integer unit)
            implements RechargeEvent {}

    /** A recharge was not completed in time. */
    @EventName("recharge.closed")
    record RechargeClosed(RechargeId rechargeId, UserId userId) implements RechargeEvent {}
}
