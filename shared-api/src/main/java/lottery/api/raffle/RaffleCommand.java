package lottery.api.raffle;

import lottery.api.Command;
import lottery.api.account.AccountId;

/** A command to a raffle order that was left for later. */
public sealed interface RaffleCommand<R> extends Command<R> {

    RaffleOrderId orderId();

    /** Returns the account that the order is on. It changes with the order, in the same commit. */
    AccountId accountId();

    /** Returns the request, which takes up an id of its own: the same request has the same answer for ever. */
    Request request();

    @Override
    default RaffleOrderId target() {
        return orderId();
    }

    /** Draws the order, if it is open. */
    record DrawRaffleOrder(RaffleOrderId orderId, AccountId accountId, Request request)
            implements RaffleCommand<Draws> {}

    /** Cancels the order, if it is open, and gives the chance back that it had cost. */
    record CancelRaffleOrder(RaffleOrderId orderId, AccountId accountId, Request request)
            implements RaffleCommand<RaffleOrderId> {}
}
