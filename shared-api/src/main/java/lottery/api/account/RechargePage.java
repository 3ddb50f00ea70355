package lottery.api.account;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import lottery.api.account.RechargeResult.RechargeState;
import lottery.api.activity.SkuId;
import org.jspecify.annotations.Nullable;

/**
 * A page of recharges.
 *
 * @param next where the next page begins; null on the last page
 */
public record RechargePage(
        List<ListedRecharge> items, @Nullable String next) {

    /**
     * A recharge.
     *
     * @param priceCredits the price of the SKU in credits, which was paid together with the recharge; null if it cost
     *     no credits
     * @param orderedAt when it was asked for
     * @param payBy until when it waits for its payment, if it is paid for later
     */
    public record ListedRecharge(
            RechargeId rechargeId,
            SkuId sku,
            String outBusinessNo,
            RechargeState state,
            int total,
            int month,
            int day,

            @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal priceCredits,

            Instant orderedAt,
            @Nullable Instant payBy) {}

    public RechargePage {
        items = List.copyOf(items);
    }
}
