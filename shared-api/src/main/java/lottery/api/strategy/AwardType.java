package lottery.api.strategy;

/**
 * How an award is handed over. The lottery can hand over each type but PHYSICAL itself; readers of invoices hand over
 * the rest.
 */
public enum AwardType {
    TEXT,
    CODE,
    COUPON,
    PHYSICAL,
    CREDIT
}
