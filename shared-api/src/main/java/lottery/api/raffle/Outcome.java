package lottery.api.raffle;

/** How a draw ended. */
public enum Outcome {
    /** The draw has won an award, and not as the fallback. */
    WON,
    /** The draw has won the fallback, in place of an award that could not be given. */
    FALLBACK,
    NOTHING
}
