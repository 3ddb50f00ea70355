package lottery.api.strategy;

/** The remedy if a won award cannot be handed over. */
public enum Remedy {
    /** The user wins the fallback of the strategy instead. */
    SUBSTITUTE,
    /** The user's chance is given back. */
    RETURN_CHANCE,
    /** An operator decides at the desk. */
    MANUAL
}
