package lottery.api.raffle;

import java.time.Instant;
import lottery.api.Command;
import lottery.api.account.AccountId;

/** A command to a raffle order that was left for later, or that has waited in the queue. */
public sealed interface RaffleCommand<R> extends Command<R> {

    RaffleOrderId orderId();

    /** Returns the account to which the order belongs. The account changes in the same commit as the order. */
    AccountId accountId();

    /**
     * Returns the request that sends this command. The answer is stored under the id of the request, so that a repeated
     * request gets the same answer for ever.
     */
    RaffleRequestIdentity request();

    @Override
    default RaffleOrderId target() {
        return orderId();
    }

    /** Draws the order, if it is open. */
    record DrawRaffleOrder(RaffleOrderId orderId, AccountId accountId, RaffleRequestIdentity request)
            implements RaffleCommand<DrawRequestResult> {}

    /** Cancels the order, if it is open, and gives back the chance that the order had cost. */
    record CancelRaffleOrder(RaffleOrderId orderId, AccountId accountId, RaffleRequestIdentity request)
            implements RaffleCommand<RaffleOrderId> {}

    /**
     * Makes the draws of a request that has waited in the queue. If they are refused, the refusal is stored.
     *
     * @param orderId the id of the request, and of its order if it asks for one draw
     * @param count how many draws are asked for; fewer are made if there are fewer chances
     * @param queuedAt when the request was accepted
     */
    record DrawQueued(RaffleOrderId orderId, AccountId accountId, int count, Instant queuedAt)
            implements RaffleCommand<DrawRequestResult> {

        @Override
        public RaffleRequestIdentity request() {
            return new RaffleRequestIdentity(orderId, true);
        }
    }
}
