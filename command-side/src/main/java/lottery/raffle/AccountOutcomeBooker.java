package lottery.raffle;

import lottery.activity.DrawableActivity;
import lottery.api.account.AccountId;
import lottery.api.raffle.RaffleOrderId;

/**
 * Books the outcome of an order on its account. The account changes with the current unit of work. So the order and its
 * account are stored in one commit, or not at all.
 *
 * <p>If the order is not the account's open order, this process has an old state of the account, because another node
 * has just changed it. Then these methods throw a {@link org.axonframework.modelling.command.ConcurrencyException}, and
 * the command is handled again.
 */
public interface AccountOutcomeBooker {

    /** Books that the order is drawn, and returns what its user had drawn before. */
    PriorDraws use(AccountId accountId, RaffleOrderId orderId, DrawableActivity activity);

    /** Books that the order is cancelled. The user gets back the chance that the order had cost. */
    void cancel(AccountId accountId, RaffleOrderId orderId);

    /** Counts the win of an award with a limit per user. The account must have booked the draw of this win already. */
    void countWin(AccountId accountId, RaffleOrderId orderId, int awardId);
}
