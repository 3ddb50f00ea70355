package lottery.bench;

import static lottery.bench.AccountEvents.TWO;
import static lottery.bench.HistoryStore.unit;

import java.sql.SQLException;

/** Adds to a history recharges that are paid later, or never. */
final class RechargeEvents {

    private final HistoryStore history;

    RechargeEvents(HistoryStore history) {
        this.history = history;
    }

    /** Adds a recharge of Cat's that waits for its payment. */
    void order(String recharge, int sku, int unit) throws SQLException {
        history.event(
                "recharge:" + recharge, 0, "recharge.ordered", """
                {"rechargeId":"recharge:%s","activityId":200,"userId":"cat","sku":%d,"outBusinessNo":"b-%s","bundle":%s%s,\
                "payBy":"2026-11-30T04:10:00Z"}""".formatted(recharge, sku, recharge, TWO, unit(unit)));
    }

    void complete(String recharge, long sequence, int sku, int unit) throws SQLException {
        history.event("recharge:" + recharge, sequence, "recharge.completed", """
                {"rechargeId":"recharge:%s","activityId":200,"userId":"cat","sku":%d,"outBusinessNo":"b-%s","bundle":%s%s}""".formatted(
                        recharge, sku, recharge, TWO, unit(unit)));
    }

    void close(String recharge, long sequence) throws SQLException {
        history.event("recharge:" + recharge, sequence, "recharge.closed", """
                {"rechargeId":"recharge:%s","userId":"cat"}""".formatted(recharge));
    }
}
