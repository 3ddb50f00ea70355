package lottery.api.activity;

import lottery.api.Query;
import org.jspecify.annotations.Nullable;

/**
 * Which activities are there, the highest ids first?
 *
 * @param state those in this state alone; none for all
 * @param cursor where the page before ended; none for the first page
 */
public record FindActivities(
        @Nullable ActivityState state, @Nullable String cursor, int limit) implements Query<ListedActivities> {

    public static final int LIMIT_MAX = 100;
}
