package lottery.raffle;

import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderState;

/** An order and its state, as the answer to a request that creates or cancels it. */
public record RaffleOrderReply(RaffleOrderId orderId, RaffleOrderState state) {

    public static RaffleOrderReply created(RaffleOrderId orderId) {
        return new RaffleOrderReply(orderId, RaffleOrderState.CREATED);
    }

    static RaffleOrderReply cancelled(RaffleOrderId orderId) {
        return new RaffleOrderReply(orderId, RaffleOrderState.CANCELLED);
    }
}
