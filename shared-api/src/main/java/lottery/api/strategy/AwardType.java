package lottery.api.strategy;

/** How an award is handed over. TEXT is handed over by the lottery itself, the others by whoever reads the invoices. */
public enum AwardType {
    TEXT,
    CODE,
    COUPON,
    PHYSICAL,
    CREDIT
}
