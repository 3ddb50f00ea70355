package lottery.api.raffle;

/** How a draw ended. */
public enum Outcome {
    /** An award of the table. */
    WON,
    /** The fallback, in place of an award that could not be given. */
    FALLBACK,
    NOTHING
}
