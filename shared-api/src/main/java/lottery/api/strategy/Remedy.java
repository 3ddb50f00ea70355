package lottery.api.strategy;

/** What becomes of a won award that cannot be handed over. */
public enum Remedy {
    /** The fallback of the strategy instead. */
    SUBSTITUTE,
    /** The chance is given back. */
    RETURN_CHANCE,
    /** An operator decides. */
    MANUAL
}
