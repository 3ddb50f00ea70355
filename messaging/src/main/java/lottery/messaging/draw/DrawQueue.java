package lottery.messaging.draw;

import java.util.Optional;
import lottery.api.RefusedException;
import lottery.api.raffle.RaffleOrderId;

/**
 * The queue of requests for draws. A request that it has accepted is drawn or refused exactly once, even after crashes.
 */
public interface DrawQueue {

    /**
     * Accepts a request. The request is durable when this method returns. A request that already waits is not added
     * again.
     *
     * @throws RefusedException if the queue is full or cannot be reached, and the request was not accepted. If it is
     *     not known whether the request was accepted, the refusal says so
     */
    DrawQueuePosition accept(QueuedDrawRequest request);

    /** Returns whether this process's knowledge of the queue is a few seconds old at most. */
    boolean isCurrent();

    /** Returns a request if this process knows, without asking the broker, that it waits. */
    Optional<DrawQueuePosition> seen(RaffleOrderId orderId);

    /**
     * Returns a request if it waits. If the result is empty, the request has just been drawn or refused, or it has
     * never waited.
     *
     * @throws RefusedException if the broker does not answer, so that the state of the request is unknown
     */
    Optional<DrawQueuePosition> find(RaffleOrderId orderId);
}
