package lottery.api.credit;

import lottery.api.Query;
import lottery.api.UserId;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the bookings of a user, the newest first.
 *
 * @param cursor where the previous page ended; null for the first page
 */
public record FindCreditEntries(UserId userId, @Nullable String cursor, int limit) implements Query<CreditEntries> {

    public static final int LIMIT_MAX = 100;
}
