package lottery.messaging.draw;

import java.util.Optional;
import lottery.api.RefusedException;
import lottery.api.raffle.RaffleOrderId;

/** The queue of requests for draws. A request that it has accepted is drawn or refused once, whatever crashes. */
public interface DrawQueue {

    /**
     * Accepts a request. It is durable when this returns. A request that waits already is not accepted twice.
     *
     * @throws RefusedException if the queue is full, or cannot be reached, and nothing has happened. If it is not known
     *     whether the request was accepted, the refusal says so
     */
    DrawQueuePosition accept(DrawRequest request);

    /** Returns whether this process knows the queue as it was a few seconds ago at most. */
    boolean isCurrent();

    /** Returns a request that waits, as far as this process knows without asking the broker. */
    Optional<DrawQueuePosition> seen(RaffleOrderId orderId);

    /**
     * Returns a request if it waits. It has waited until a moment ago, or never at all, if the result is empty.
     *
     * @throws RefusedException if the broker does not answer, so that nobody knows
     */
    Optional<DrawQueuePosition> find(RaffleOrderId orderId);
}
