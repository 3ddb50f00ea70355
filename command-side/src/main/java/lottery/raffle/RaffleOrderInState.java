package lottery.raffle;

import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderState;

/** An order over REST, as the answer to whoever has just made or cancelled it. */
public record RaffleOrderInState(RaffleOrderId orderId, RaffleOrderState state) {

    public static RaffleOrderInState created(RaffleOrderId orderId) {
        return new RaffleOrderInState(orderId, RaffleOrderState.CREATED);
    }

    static RaffleOrderInState cancelled(RaffleOrderId orderId) {
        return new RaffleOrderInState(orderId, RaffleOrderState.CANCELLED);
    }
}
