package lottery.api.activity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of activities.
 *
 * @param next where the next page begins; null on the last page
 */
public record ListedActivities(
        List<ListedActivity> items, @Nullable String next) {

    public ListedActivities {
        items = List.copyOf(items);
    }
}
