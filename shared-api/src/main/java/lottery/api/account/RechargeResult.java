package lottery.api.account;

import java.time.Instant;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuId;
import lottery.api.entitlement.ContentId;
import org.jspecify.annotations.Nullable;

/**
 * A recharge, and what it gives.
 *
 * @param sku the SKU that was asked for; a repeated request must ask for the same SKU
 * @param payBy until when it waits for its payment, if it is paid for later
 * @param entitlement the content that it gives; null if it gives chances only
 */
public record RechargeResult(
        RechargeId rechargeId,
        AccountId accountId,
        SkuId sku,
        RechargeState state,
        ChanceBundle bundle,
        @Nullable Instant payBy,
        @Nullable ContentId entitlement) {

    public enum RechargeState {
        /** The recharge waits for its payment. */
        WAITING,
        COMPLETED,
        CLOSED
    }
}
