package lottery.api.account;

import lottery.api.Query;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the recharges of an account, the newest first.
 *
 * @param outBusinessNo the business number of the recharge that is asked for; null to ask for all recharges
 * @param cursor where the previous page ended; null for the first page
 */
public record FindRecharges(
        ActivityId activityId,
        UserId userId,
        @Nullable String outBusinessNo,
        @Nullable String cursor,
        int limit) implements Query<RechargePage> {

    public static final int LIMIT_MAX = 100;
}
