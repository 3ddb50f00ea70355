package lottery.api.activity;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import lottery.api.credit.CreditAmount;
import org.jspecify.annotations.Nullable;

/**
 * A bundle of chances that an activity offers.
 *
 * @param stock how often all users together can have it; null if there is no limit
 * @param perUser how often one user can have it; null if there is no limit
 * @param priceCredits the price for the user; null if it costs nothing here, whatever was paid for it elsewhere
 */
public record SkuOffer(
        SkuId sku,
        @Nullable String title,
        ChanceBundle bundle,
        @Nullable Integer stock,

        @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
        BigDecimal priceCredits,

        @Nullable SkuLimit perUser) {

    public SkuOffer {
        if (priceCredits != null) {
            if (priceCredits.signum() < 0 || !CreditAmount.isPossible(priceCredits)) {
                throw new IllegalArgumentException("nobody can pay so many credits");
            }
            priceCredits = CreditAmount.plain(priceCredits);
        }
    }
}
