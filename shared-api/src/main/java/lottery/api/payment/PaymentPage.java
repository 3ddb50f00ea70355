package lottery.api.payment;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of payments.
 *
 * @param next where the next page begins; null on the last page
 */
public record PaymentPage(
        List<PaymentReceipt> items, @Nullable String next) {

    public PaymentPage {
        items = List.copyOf(items);
    }
}
