package lottery.api.activity;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import lottery.api.Money;
import lottery.api.credit.CreditAmount;
import lottery.api.entitlement.ContentId;
import org.jspecify.annotations.Nullable;

/**
 * An offer of an activity: a bundle of chances, content, or both.
 *
 * @param bundle {@link ChanceBundle#NONE} if it gives content only
 * @param stock how often all users together can have it; null if there is no limit
 * @param perUser how often one user can have it; null if there is no limit
 * @param priceCredits the price in credits; null if it costs none
 * @param price the price in money, for which it is sold by a payment; null if the lottery does not sell it. A front may
 *     still give it, whatever was paid for it elsewhere
 * @param entitlement the content that the user may read with it; null if it gives chances only
 */
public record SkuOffer(
        SkuId sku,
        @Nullable String title,
        ChanceBundle bundle,
        @Nullable Integer stock,

        @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
        BigDecimal priceCredits,

        @Nullable SkuLimit perUser,
        @Nullable Money price,
        @Nullable ContentId entitlement) {

    public SkuOffer {
        if (entitlement == null && bundle.equals(ChanceBundle.NONE)) {
            throw new IllegalArgumentException("a SKU gives chances or content");
        }
        if (price != null && priceCredits != null) {
            throw new IllegalArgumentException("a price is in credits or in money");
        }
        if (priceCredits != null) {
            if (priceCredits.signum() < 0 || !CreditAmount.isPossible(priceCredits)) {
                throw new IllegalArgumentException("nobody can pay so many credits");
            }
            priceCredits = CreditAmount.plain(priceCredits);
        }
    }

    /** Returns whether the user pays for it. */
    public boolean hasPrice() {
        return price != null || (priceCredits != null && priceCredits.signum() > 0);
    }
}
