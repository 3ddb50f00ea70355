package lottery.problem;

import java.util.Locale;
import lottery.api.Refusal;
import org.springframework.http.HttpStatus;

/** The HTTP status of a refusal, and whether a retry helps. */
record RefusalStatus(HttpStatus status, boolean retryable) {

    static RefusalStatus of(Refusal refusal) {
        return switch (refusal) {
            case INVALID -> new RefusalStatus(HttpStatus.BAD_REQUEST, false);
            case UNAUTHENTICATED, LOGIN_FAILED -> new RefusalStatus(HttpStatus.UNAUTHORIZED, false);
            case FORBIDDEN, NOT_IN_AUDIENCE, ACCOUNT_LOCKED, USER_BANNED ->
                new RefusalStatus(HttpStatus.FORBIDDEN, false);
            case NOT_FOUND -> new RefusalStatus(HttpStatus.NOT_FOUND, false);
            case ACTIVITY_STATE,
                    ACTIVITY_NOT_OPEN,
                    ACTIVITY_PAUSED,
                    ACTIVITY_DATES,
                    DRAW_MODE,
                    ENTRIES_CLOSED,
                    QUOTA_TOTAL,
                    ACTIVITY_FULL,
                    BUDGET_REACHED,
                    SKU_SOLD_OUT,
                    SKU_LIMIT,
                    ORDER_USED,
                    ORDER_CANCELLED,
                    REQUEST_DROPPED,
                    RECHARGE_CLOSED,
                    PAYMENT_STATE,
                    PAYMENT_WAITS,
                    AWARD_STATE,
                    CREDITS_SHORT,
                    PROPOSAL_STATE,
                    NO_ACTIVITY,
                    STRATEGY_INVALID,
                    TREE_INVALID,
                    REPLAY_RUNNING -> new RefusalStatus(HttpStatus.CONFLICT, false);
            // These refusals end with the next month or day, so a retry at once does not help.
            case QUOTA_MONTH, QUOTA_DAY, CANCELLATION_LIMIT -> new RefusalStatus(HttpStatus.CONFLICT, false);
            case VERSION_STALE -> new RefusalStatus(HttpStatus.PRECONDITION_FAILED, false);
            case KEY_REQUIRED -> new RefusalStatus(HttpStatus.PRECONDITION_REQUIRED, false);
            case KEY_REUSED -> new RefusalStatus(HttpStatus.UNPROCESSABLE_CONTENT, false);
            case RATE_LIMITED -> new RefusalStatus(HttpStatus.TOO_MANY_REQUESTS, true);
            case OUTCOME_UNKNOWN -> new RefusalStatus(HttpStatus.SERVICE_UNAVAILABLE, false);
            case BUSY, NOT_READY, ACCEPTANCE_UNKNOWN -> new RefusalStatus(HttpStatus.SERVICE_UNAVAILABLE, true);
        };
    }

    /** Returns the part of a problem's address that names it, for example {@code quota-day}. */
    static String slug(Refusal refusal) {
        return refusal.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
