package lottery.api.rebate;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.api.credit.CreditAmount;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a rule gives: the chances of a SKU, or credits.
 *
 * @param activityId the activity of the SKU; null for credits
 * @param sku the SKU; null for credits
 * @param amount the amount of credits; null for a SKU
 */
public record Rebate(
        RebateKind kind,
        @Nullable ActivityId activityId,
        @Nullable SkuId sku,

        @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
        BigDecimal amount) {

    /** The kinds of rebates. */
    public enum RebateKind {
        SKU,
        CREDIT
    }

    public Rebate {
        boolean isWhole = switch (kind) {
            case SKU -> activityId != null && sku != null && amount == null;
            case CREDIT -> activityId == null && sku == null && amount != null;
        };
        if (!isWhole) {
            throw new IllegalArgumentException("a rebate has a SKU with its activity, or an amount of credits");
        }
        if (amount != null) {
            if (amount.signum() <= 0 || !CreditAmount.isPossible(amount)) {
                throw new IllegalArgumentException("nobody can be given so many credits");
            }
            amount = CreditAmount.plain(amount);
        }
    }

    public static Rebate ofSku(ActivityId activityId, SkuId sku) {
        return new Rebate(RebateKind.SKU, activityId, sku, null);
    }

    public static Rebate ofCredits(BigDecimal amount) {
        return new Rebate(RebateKind.CREDIT, null, null, amount);
    }
}
