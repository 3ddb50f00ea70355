package lottery.api.raffle;

import lottery.api.Query;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the draws that a user has made, whatever they won, the newest first.
 *
 * @param cursor where the previous page ended; null for the first page
 */
public record FindDraws(
        ActivityId activityId, UserId userId, @Nullable String cursor, int limit) implements Query<DrawPage> {

    public static final int LIMIT_MAX = 100;
}
