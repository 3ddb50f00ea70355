package lottery.api.strategy;

/**
 * How an award is handed over. The lottery itself can hand over every type except PHYSICAL. Readers of invoices hand
 * over the rest.
 */
public enum AwardType {
    TEXT,
    CODE,
    COUPON,
    PHYSICAL,
    CREDIT
}
