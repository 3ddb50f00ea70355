package lottery.api.raffle;

import lottery.api.Query;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the orders that a user has spent a chance for, the newest chance first.
 *
 * @param cursor where the previous page ended; null for the first page
 */
public record FindRaffleOrders(
        ActivityId activityId, UserId userId, @Nullable String cursor, int limit) implements Query<RaffleOrderPage> {

    public static final int LIMIT_MAX = 100;
}
