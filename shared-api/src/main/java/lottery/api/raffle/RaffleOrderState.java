package lottery.api.raffle;

/** The state of a raffle order. */
public enum RaffleOrderState {
    /** It waits in the queue. No chance is spent yet. */
    QUEUED,
    /** Its chance is spent, and it can be drawn. */
    CREATED,
    /** Its chance is spent, and it is in the pool of its activity. The pool says what became of it. */
    ENTERED,
    /** It is drawn. */
    USED,
    /** Its chance was given back. */
    CANCELLED,
    /** Its turn in the queue came, and it was refused. No chance was spent. */
    REFUSED
}
