package lottery.api.credit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a user's statement.
 *
 * @param next where the next page begins; null on the last page
 */
public record CreditEntries(
        List<CreditEntry> items, @Nullable String next) {

    public CreditEntries {
        items = List.copyOf(items);
    }
}
