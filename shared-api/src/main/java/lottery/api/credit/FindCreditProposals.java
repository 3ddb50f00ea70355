package lottery.api.credit;

import lottery.api.Query;
import org.jspecify.annotations.Nullable;

/**
 * Asks for proposed bookings, the newest first.
 *
 * @param state of those that are asked for; none: all
 * @param cursor where the previous page ended; none: the first page
 */
public record FindCreditProposals(
        @Nullable CreditProposalState state, @Nullable String cursor, int limit) implements Query<CreditProposalPage> {

    public static final int LIMIT_MAX = 100;
}
