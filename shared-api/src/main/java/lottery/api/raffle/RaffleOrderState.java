package lottery.api.raffle;

/** How far a raffle order is. */
public enum RaffleOrderState {
    /** Its chance is spent, and it can be drawn. */
    CREATED,
    /** It is drawn. */
    USED,
    /** Its chance was given back. */
    CANCELLED
}
