package lottery.api.activity;

import lottery.api.Query;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the activities, the highest ids first.
 *
 * @param state the state of the activities that are asked for; null for all
 * @param cursor where the previous page ended; null for the first page
 */
public record FindActivities(
        @Nullable ActivityState state, @Nullable String cursor, int limit) implements Query<ListedActivities> {

    public static final int LIMIT_MAX = 100;
}
