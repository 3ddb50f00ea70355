package lottery.raffle;

import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import org.jspecify.annotations.Nullable;

/**
 * A draw that is decided, as the events that have to be stored.
 *
 * @param won the award, if the draw wins one
 * @param credits the credits that are booked with the win; null if there are none
 * @param isCounted whether the account has to count this win, because one user can win the award only so often
 */
public record DecidedDraw(
        RaffleDrawn drawn, @Nullable AwardWon won, @Nullable BookCredits credits, boolean isCounted) {}
