package lottery.api.credit;

import lottery.api.Query;
import lottery.api.UserId;
import org.jspecify.annotations.Nullable;

/**
 * What was booked for this user, newest first?
 *
 * @param cursor where the page before ended; none for the first page
 */
public record FindCreditEntries(UserId userId, @Nullable String cursor, int limit) implements Query<CreditEntries> {

    public static final int LIMIT_MAX = 100;
}
