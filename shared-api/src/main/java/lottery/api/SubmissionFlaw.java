package lottery.api;

/**
 * One flaw in submitted data.
 *
 * @param pointer the place, as a JSON pointer
 * @param subject what the flaw is about, if the place alone does not say it, such as the circle {@code a -> b -> a};
 *     otherwise empty
 */
public record SubmissionFlaw(String pointer, FlawKind flaw, String subject) {

    public SubmissionFlaw(String pointer, FlawKind flaw) {
        this(pointer, flaw, "");
    }

    public enum FlawKind {
        AWARD_TWICE,
        RATE_NOT_POSITIVE,
        RATE_TOO_FINE,
        RATES_ABOVE_ONE,
        RATES_BELOW_ONE,
        AMOUNT_EMPTY,
        AMOUNT_TOO_FINE,
        CREDITS_MISSING,
        PAID_AT_ONCE,
        LIMITED_PER_USER,
        AWARD_UNKNOWN,
        AWARD_LOCKED,
        AWARD_LIMITED,
        AWARD_NEVER_WON,
        GRANT_TIME_DOES_NOT_FIT,
        REMEDY_IMPOSSIBLE,
        TIER_TWICE,
        ID_DIFFERS,
        MISSING,
        STRATEGY_UNKNOWN,
        SKU_TWICE,
        ENDS_BEFORE_BEGIN,
        TIME_OUT_OF_RANGE,
        NODE_TWICE,
        NODE_UNKNOWN,
        NODE_UNREACHABLE,
        NODE_NEITHER_INNER_NOR_LEAF,
        NODE_WITHOUT_LINES,
        LEAF_WITH_LINES,
        LINES_IN_A_CIRCLE,
        VALUE_NO_NUMBER,
        VALUES_DO_NOT_FIT,
        TEXT_IN_ORDER,
        RESULT_NOT_ALLOWED,
        ACTIVITY_UNKNOWN,
        MATTER_UNKNOWN,
        ENDS_IN_THE_PAST,
        BAN_ENDS_IN_THE_PAST,
        DRAWS_TOO_MANY,
        FALLBACK_MISSING,
        LOCK_OUT_OF_REACH,
        AWARD_SELLS_OUT,
        CODE_TWICE,
        URL_MISSING,
        URL_UNFIT,
        CLAIM_DAYS_UNFIT,
        KIND_UNFIT,
        REBATE_UNFIT,
        SKU_UNKNOWN,
        SKU_PRICED,
        STREAK_WITHOUT_SIGN_IN,
        AUDIENCE_UNFIT,
        LINE_FOLLOWED,
        NO_LINE_FITS,
        DRAW_TIMES_UNFIT,
        DRAW_AWARDS_UNFIT,
        DRAW_AWARDS_HELD,
        DRAW_WITHOUT_BEACON,
        DRAW_QUEUED,
        BUDGET_UNFIT,
        BUDGET_TOO_SMALL,
        BUDGET_SUBSTITUTE,
        PRICE_UNFIT,
        PRICE_MISSING,
        PROVIDER_UNKNOWN,
        PROVIDER_UNFIT,
        CONTENT_UNFIT,
        BUNDLE_UNFIT,
        STATEMENT_LINE_UNFIT,
        STATEMENT_TOO_LONG
    }
}
