package lottery.api.account;

import lottery.api.EventName;
import lottery.api.OfUser;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Bundle;
import lottery.api.activity.Sku;

/** What happened to a recharge. */
public sealed interface RechargeEvent extends OfUser {

    RechargeId rechargeId();

    @EventName("recharge.ordered")
    record RechargeOrdered(
            RechargeId rechargeId, ActivityId activityId, UserId userId, Sku sku, String outBusinessNo, Bundle bundle)
            implements RechargeEvent {}

    @EventName("recharge.completed")
    record RechargeCompleted(RechargeId rechargeId, UserId userId) implements RechargeEvent {}
}
