package lottery.api.activity;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import lottery.api.credit.CreditAmount;
import org.jspecify.annotations.Nullable;

/**
 * A bundle of chances that can be had in an activity.
 *
 * @param stock how often it can be had, by all users together; none: without end
 * @param priceCredits what it costs the user; none: nothing here, whatever was paid for it elsewhere
 */
public record SkuOffer(
        Sku sku,
        @Nullable String title,
        Bundle bundle,
        @Nullable Integer stock,

        @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
        BigDecimal priceCredits) {

    public SkuOffer {
        if (priceCredits != null) {
            if (priceCredits.signum() < 0 || !CreditAmount.isPossible(priceCredits)) {
                throw new IllegalArgumentException("nobody can pay so many credits");
            }
            priceCredits = CreditAmount.plain(priceCredits);
        }
    }
}
