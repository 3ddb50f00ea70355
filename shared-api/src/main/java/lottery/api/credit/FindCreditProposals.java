package lottery.api.credit;

import lottery.api.Query;
import org.jspecify.annotations.Nullable;

/**
 * Asks for proposed bookings, the newest first.
 *
 * @param state the state of the bookings that are asked for; null for all
 * @param cursor where the previous page ended; null for the first page
 */
public record FindCreditProposals(
        @Nullable CreditProposalState state, @Nullable String cursor, int limit) implements Query<CreditProposalPage> {

    public static final int LIMIT_MAX = 100;
}
