package lottery.api.raffle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of draws.
 *
 * @param next where the next page begins; null on the last page
 */
public record DrawPage(List<DrawResult> items, @Nullable String next) {

    public DrawPage {
        items = List.copyOf(items);
    }
}
