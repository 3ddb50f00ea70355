package lottery.api.account;

import java.time.Instant;
import lottery.api.EventName;
import lottery.api.EventOfUser;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuId;
import lottery.api.entitlement.ContentId;
import org.jspecify.annotations.Nullable;

/** The events of a recharge. */
public sealed interface RechargeEvent extends EventOfUser {

    RechargeId rechargeId();

    /**
     * A recharge was ordered, and waits for its payment. Its chances come when it is completed.
     *
     * @param unitTaken whether a unit of the SKU is reserved for it, because the SKU is limited
     * @param payBy the time at which it is closed if it is still waiting then
     * @param entitlement the content that it gives; null if it gives chances only
     */
    @EventName("recharge.ordered")
    record RechargeOrdered(
            RechargeId rechargeId,
            ActivityId activityId,
            UserId userId,
            SkuId sku,
            String outBusinessNo,
            ChanceBundle bundle,
            boolean unitTaken,
            Instant payBy,
            @Nullable ContentId entitlement)
            implements RechargeEvent {}

    /**
     * A recharge was completed. Its chances were added in the same commit.
     *
     * @param unitTaken whether it has taken a unit of the SKU, because the SKU is limited
     * @param entitlement the content that it gives, in the same commit; null if it gives chances only
     */
    @EventName("recharge.completed")
    record RechargeCompleted(
            RechargeId rechargeId,
            ActivityId activityId,
            UserId userId,
            SkuId sku,
            String outBusinessNo,
            ChanceBundle bundle,
            boolean unitTaken,
            @Nullable ContentId entitlement)
            implements RechargeEvent {}

    /** A recharge was not completed in time. */
    @EventName("recharge.closed")
    record RechargeClosed(RechargeId rechargeId, UserId userId) implements RechargeEvent {}
}
