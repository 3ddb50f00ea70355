package lottery.api;

/** All business reasons to refuse a request. The codes are part of the REST contract. */
public enum Refusal {
    INVALID,
    UNAUTHENTICATED,
    LOGIN_FAILED,
    ACCOUNT_LOCKED,
    USER_BANNED,
    FORBIDDEN,
    NOT_FOUND,
    ACTIVITY_STATE,
    ACTIVITY_NOT_OPEN,
    ACTIVITY_DATES,
    QUOTA_TOTAL,
    QUOTA_MONTH,
    QUOTA_DAY,
    ACTIVITY_FULL,
    SKU_SOLD_OUT,
    ORDER_USED,
    ORDER_CANCELLED,
    RECHARGE_CLOSED,
    AWARD_STATE,
    CREDITS_SHORT,
    NO_ACTIVITY,
    STRATEGY_INVALID,
    TREE_INVALID,
    VERSION_STALE,
    KEY_REUSED,
    REPLAY_RUNNING,
    RATE_LIMITED,
    BUSY,
    NOT_READY
}
