package lottery.api;

/**
 * One flaw in what was handed in.
 *
 * @param pointer where, as a JSON pointer
 */
public record Finding(String pointer, Flaw flaw) {

    public enum Flaw {
        AWARD_TWICE,
        RATE_NOT_POSITIVE,
        RATE_TOO_FINE,
        RATES_ABOVE_ONE,
        FALLBACK_UNKNOWN,
        FALLBACK_LOCKED,
        STRATEGY_UNKNOWN,
        SKU_TWICE,
        ENDS_BEFORE_BEGIN,
        ENDS_IN_THE_PAST
    }
}
