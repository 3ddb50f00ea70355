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
        RATES_BELOW_ONE,
        AMOUNT_EMPTY,
        AMOUNT_TOO_FINE,
        AWARD_UNKNOWN,
        AWARD_LOCKED,
        AWARD_LIMITED,
        AWARD_NEVER_WON,
        TIER_TWICE,
        ID_DIFFERS,
        MISSING,
        STRATEGY_UNKNOWN,
        SKU_TWICE,
        ENDS_BEFORE_BEGIN
    }
}
