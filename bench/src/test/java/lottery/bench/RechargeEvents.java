package lottery.bench;

import static lottery.bench.AccountEvents.TWO;

import java.sql.SQLException;

/** Adds to a history recharges that are paid later, or never. */
final class RechargeEvents {

    /** The SKU that has three units. */
    static final int LIMITED = 9002;

    static final int UNLIMITED = 9003;

    private final HistoryStore history;

    RechargeEvents(HistoryStore history) {
        this.history = history;
    }

    /** Adds a recharge of Cat's that waits for its payment. */
    void order(String recharge, int sku) throws SQLException {
        order(recharge, sku, sku == LIMITED);
    }

    void order(String recharge, int sku, boolean unitTaken) throws SQLException {
        history.event(
                "recharge:" + recharge, 0, "recharge.ordered", """
                {"rechargeId":"recharge:%s","activityId":200,"userId":"cat","sku":%d,"outBusinessNo":"b-%s","bundle":%s,"unitTaken":%s,\
                "payBy":"2026-11-30T04:10:00Z"}""".formatted(recharge, sku, recharge, TWO, unitTaken));
    }

    void complete(String recharge, long sequence, int sku) throws SQLException {
        complete(recharge, sequence, sku, sku == LIMITED);
    }

    void complete(String recharge, long sequence, int sku, boolean unitTaken) throws SQLException {
        history.event("recharge:" + recharge, sequence, "recharge.completed", """
                {"rechargeId":"recharge:%s","activityId":200,"userId":"cat","sku":%d,"outBusinessNo":"b-%s","bundle":%s,\
                "unitTaken":%s}""".formatted(
                        recharge, sku, recharge, TWO, unitTaken));
    }

    void close(String recharge, long sequence) throws SQLException {
        history.event("recharge:" + recharge, sequence, "recharge.closed", """
                {"rechargeId":"recharge:%s","userId":"cat"}""".formatted(recharge));
    }
}
