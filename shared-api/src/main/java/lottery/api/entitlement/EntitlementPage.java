package lottery.api.entitlement;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a user's entitlements.
 *
 * @param next where the next page begins; null on the last page
 */
public record EntitlementPage(
        List<UserEntitlement> items, @Nullable String next) {

    public EntitlementPage {
        items = List.copyOf(items);
    }
}
