package lottery.api.award;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of won awards.
 *
 * @param next where the next page begins; null on the last page
 */
public record Wins(List<Win> items, @Nullable String next) {

    public Wins {
        items = List.copyOf(items);
    }
}
