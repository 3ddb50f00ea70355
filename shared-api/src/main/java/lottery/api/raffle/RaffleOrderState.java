package lottery.api.raffle;

/** The state of a raffle order. */
public enum RaffleOrderState {
    /** Its chance is spent, and it can be drawn. */
    CREATED,
    /** It is drawn. */
    USED,
    /** Its chance was given back. */
    CANCELLED
}
