package lottery.api.strategy;

/**
 * How an award is handed over. The lottery itself can hand over every type except PHYSICAL. The awards that it does not
 * hand over are handed over by the systems that read the invoices.
 */
public enum AwardType {
    TEXT,
    CODE,
    COUPON,
    PHYSICAL,
    CREDIT
}
