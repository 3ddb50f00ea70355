package lottery.api.strategy;

/**
 * How an award is handed over. TEXT, CODE and COUPON the lottery can hand over itself, others whoever reads invoices.
 */
public enum AwardType {
    TEXT,
    CODE,
    COUPON,
    PHYSICAL,
    CREDIT
}
