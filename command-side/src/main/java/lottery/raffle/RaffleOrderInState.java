package lottery.raffle;

import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderState;

/** An order and its state, as the answer to a request that creates or cancels it. */
public record RaffleOrderInState(RaffleOrderId orderId, RaffleOrderState state) {

    public static RaffleOrderInState created(RaffleOrderId orderId) {
        return new RaffleOrderInState(orderId, RaffleOrderState.CREATED);
    }

    static RaffleOrderInState cancelled(RaffleOrderId orderId) {
        return new RaffleOrderInState(orderId, RaffleOrderState.CANCELLED);
    }
}
