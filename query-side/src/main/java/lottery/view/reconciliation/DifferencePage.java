package lottery.view.reconciliation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of differences.
 *
 * @param next where the next page begins; null on the last page
 */
record DifferencePage(
        List<PaymentDifference> items, @Nullable String next) {

    DifferencePage {
        items = List.copyOf(items);
    }
}
