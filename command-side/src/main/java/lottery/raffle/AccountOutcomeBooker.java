package lottery.raffle;

import lottery.activity.OpenActivity;
import lottery.api.account.AccountId;
import lottery.api.raffle.RaffleOrderId;

/**
 * Books the outcome of an order on its account. The account changes with the current unit of work, so that the order
 * and its account are stored in one commit, or not at all.
 *
 * <p>An account that does not know the order as its open one is out of date: another node has just changed it. Then
 * these methods throw a {@link org.axonframework.modelling.command.ConcurrencyException}, and the command is handled
 * again.
 */
public interface AccountOutcomeBooker {

    /** Books that the order is drawn, and returns what its user had drawn before. */
    PriorDraws use(AccountId accountId, RaffleOrderId orderId, OpenActivity activity);

    /** Books that the order is cancelled: its user gets back the chance that it had cost. */
    void cancel(AccountId accountId, RaffleOrderId orderId);

    /** Counts the win of an award that a user can win only so often. The account has booked its draw before. */
    void countWin(AccountId accountId, RaffleOrderId orderId, int awardId);
}
