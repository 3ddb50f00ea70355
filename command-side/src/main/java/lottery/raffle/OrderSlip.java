package lottery.raffle;

import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderState;

/** An order over REST, as the answer to whoever has just made or cancelled it. */
public record OrderSlip(RaffleOrderId orderId, RaffleOrderState state) {

    public static OrderSlip created(RaffleOrderId orderId) {
        return new OrderSlip(orderId, RaffleOrderState.CREATED);
    }

    static OrderSlip cancelled(RaffleOrderId orderId) {
        return new OrderSlip(orderId, RaffleOrderState.CANCELLED);
    }
}
