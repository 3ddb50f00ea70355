package lottery.api.account;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import lottery.api.EventName;
import lottery.api.OfUser;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Bundle;
import lottery.api.activity.Sku;
import org.jspecify.annotations.Nullable;

/** What happened to a recharge. */
public sealed interface RechargeEvent extends OfUser {

    RechargeId rechargeId();

    /**
     * A recharge that is paid for later waits. Its chances come when it is completed.
     *
     * @param unit which unit of a limited SKU is kept for it
     * @param payBy when it is closed, if it is still waiting then
     */
    @EventName("recharge.ordered")
    record RechargeOrdered(
            RechargeId rechargeId,
            ActivityId activityId,
            UserId userId,
            Sku sku,
            String outBusinessNo,
            Bundle bundle,
            @JsonProperty("slot") @Nullable Integer unit,
            Instant payBy)
            implements RechargeEvent {}

    /**
     * The chances were added in the same commit.
     *
     * @param unit which unit of a limited SKU it took
     */
    @EventName("recharge.completed")
    record RechargeCompleted(
            RechargeId rechargeId,
            ActivityId activityId,
            UserId userId,
            Sku sku,
            String outBusinessNo,
            Bundle bundle,
            @JsonProperty("slot") @Nullable Integer unit)
            implements RechargeEvent {}

    /** Nobody has completed it in time. */
    @EventName("recharge.closed")
    record RechargeClosed(RechargeId rechargeId, UserId userId) implements RechargeEvent {}
}
