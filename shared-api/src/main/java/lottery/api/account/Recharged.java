package lottery.api.account;

import java.time.Instant;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuId;
import org.jspecify.annotations.Nullable;

/**
 * A recharge and its chances.
 *
 * @param sku the SKU that was asked for; a repeat must ask for the same
 * @param payBy until when it waits, if it is paid for later
 */
public record Recharged(
        RechargeId rechargeId,
        AccountId accountId,
        SkuId sku,
        RechargeState state,
        ChanceBundle bundle,
        @Nullable Instant payBy) {

    public enum RechargeState {
        /** It waits for its payment. */
        WAITING,
        COMPLETED,
        CLOSED
    }
}
