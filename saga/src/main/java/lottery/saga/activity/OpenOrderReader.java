package lottery.saga.activity;

import java.time.Duration;
import java.util.List;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleOrderId;
import lottery.store.processing.ProcessorPositionAwaiter;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads which orders of an activity are open, from the read model of accounts. */
@Component
class OpenOrderReader {

    private static final String ACCOUNTS = "accounts";

    /** Rows of sagas are locked meanwhile. */
    private static final Duration STATEMENT_MAX = Duration.ofSeconds(5);

    private static final String OPEN = """
            SELECT user_id, open_order_id FROM view_account
            WHERE activity_id = ? AND user_id > ? AND open_order_id IS NOT NULL ORDER BY user_id LIMIT ?""";

    private final JdbcClient database;
    private final ProcessorPositionAwaiter positions;

    OpenOrderReader(JdbcClient database, ProcessorPositionAwaiter positions) {
        this.database = database;
        this.positions = positions;
    }

    record OpenOrder(AccountId accountId, RaffleOrderId orderId) {}

    /** Returns whether the read model shows all events up to the position that are not parked. */
    boolean shows(long position) {
        return positions.hasPassed(ACCOUNTS, position);
    }

    /** Returns open orders, in the order of their users. */
    List<OpenOrder> find(ActivityId activityId, String afterUser, int max) {
        return database.sql(OPEN)
                .withQueryTimeout(Math.toIntExact(STATEMENT_MAX.toSeconds()))
                .params(activityId.value(), afterUser, max)
                .query((row, i) -> new OpenOrder(
                        new AccountId(activityId, new UserId(row.getString("user_id"))),
                        RaffleOrderId.of(row.getString("open_order_id"))))
                .list();
    }
}
