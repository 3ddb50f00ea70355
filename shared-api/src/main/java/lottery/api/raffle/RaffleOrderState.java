package lottery.api.raffle;

/** The state of a raffle order. */
public enum RaffleOrderState {
    /** The order waits in the queue. No chance is spent yet. */
    QUEUED,
    /** The chance of the order is spent, and the order can be drawn. */
    CREATED,
    /**
     * The chance of the order is spent, and the order is an entry in the pool of its activity. Whether it has won is
     * shown by the pool, and not by this state.
     */
    ENTERED,
    /** The order is drawn. */
    USED,
    /** The chance of the order was given back. */
    CANCELLED,
    /** The order has waited in the queue, and was refused when its turn came. No chance was spent. */
    REFUSED
}
