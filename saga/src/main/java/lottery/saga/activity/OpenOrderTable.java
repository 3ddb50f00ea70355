package lottery.saga.activity;

import java.util.List;
import lottery.api.UserId;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleOrderId;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Stores which orders of an activity are open. A draw that spends its chance at once has no open order, and costs
 * nothing here. The processing group is that of {@link OpenOrderSaga}: an order that was created before an event which
 * the saga handles is stored by then.
 */
@Component
@ProcessingGroup("schedule")
class OpenOrderTable {

    private final JdbcClient database;

    OpenOrderTable(JdbcClient database) {
        this.database = database;
    }

    record OpenOrder(AccountId accountId, RaffleOrderId orderId) {}

    @EventHandler
    void on(RaffleOrderCreated created) {
        database.sql("INSERT INTO open_order VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
                .params(
                        created.activityId().value(),
                        created.orderId().text(),
                        created.userId().value())
                .update();
    }

    @EventHandler
    void on(OpenOrderUsed used) {
        remove(used.activityId(), used.orderId());
    }

    @EventHandler
    void on(ChanceReturned returned) {
        remove(returned.activityId(), returned.orderId());
    }

    private void remove(ActivityId activityId, RaffleOrderId orderId) {
        database.sql("DELETE FROM open_order WHERE activity_id = ? AND order_id = ?")
                .params(activityId.value(), orderId.text())
                .update();
    }

    /** Returns some open orders of an activity, which are the same until one of them ends. */
    List<OpenOrder> find(ActivityId activityId, int max) {
        return database.sql("SELECT order_id, user_id FROM open_order WHERE activity_id = ? ORDER BY order_id LIMIT ?")
                .params(activityId.value(), max)
                .query((row, i) -> new OpenOrder(
                        new AccountId(activityId, new UserId(row.getString("user_id"))),
                        RaffleOrderId.of(row.getString("order_id"))))
                .list();
    }
}
