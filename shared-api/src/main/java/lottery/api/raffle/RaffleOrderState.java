package lottery.api.raffle;

/** The state of a raffle order. */
public enum RaffleOrderState {
    /** The order waits in the queue. No chance is spent yet. */
    QUEUED,
    /** The chance of the order is spent, and the order can be drawn. */
    CREATED,
    /**
     * The chance of the order is spent, and the order is in the pool of its activity. The pool says what became of it.
     */
    ENTERED,
    /** The order is drawn. */
    USED,
    /** The chance of the order was given back. */
    CANCELLED,
    /** The turn of the order in the queue came, and it was refused. No chance was spent. */
    REFUSED
}
