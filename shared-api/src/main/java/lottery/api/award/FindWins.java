package lottery.api.award;

import lottery.api.Query;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the awards that a user has won, the newest first.
 *
 * @param cursor where the previous page ended; null for the first page
 */
public record FindWins(
        ActivityId activityId, UserId userId, @Nullable String cursor, int limit) implements Query<Wins> {

    public static final int LIMIT_MAX = 100;
}
