package lottery.saga.activity;

import static java.util.Comparator.comparing;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleOrderId;
import lottery.store.axon.HistoryReader;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import lottery.store.processing.ProcessorPositionAwaiter;
import lottery.store.processing.ProcessorPositionAwaiter.Arrival;
import org.springframework.stereotype.Component;

/** Reads which orders of an activity are open, from the read models of accounts in all logs. */
@Component
class OpenOrderReader {

    private static final String ACCOUNTS = "accounts";

    /** Rows of sagas are locked meanwhile. */
    private static final Duration STATEMENT_MAX = Duration.ofSeconds(5);

    /** How long the read model of another log is given to show all that happened there. */
    private static final Duration SHOWN_WAIT_MAX = Duration.ofSeconds(1);

    private static final String OPEN = """
            SELECT user_id, open_order_id FROM view_account
            WHERE activity_id = ? AND user_id > ? AND open_order_id IS NOT NULL ORDER BY user_id LIMIT ?""";

    private final Logs logs;
    private final HistoryReader history;
    private final ProcessorPositionAwaiter positions;

    OpenOrderReader(Logs logs, HistoryReader history, ProcessorPositionAwaiter positions) {
        this.logs = logs;
        this.history = history;
        this.positions = positions;
    }

    record OpenOrder(AccountId accountId, RaffleOrderId orderId) {}

    /**
     * Returns whether the read model shows all events up to the position that are not parked, and all that have
     * happened in other logs by now.
     */
    boolean shows(long position) {
        return positions.hasPassed(ACCOUNTS, position)
                && (logs.all().size() == 1
                        || logs.readReachable(SHOWN_WAIT_MAX, log -> log.isHome() || showsAll(log)).values().stream()
                                        .filter(Boolean::booleanValue)
                                        .count()
                                == logs.all().size());
    }

    private boolean showsAll(Log log) {
        try {
            return positions.await(log, Set.of(ACCOUNTS), history.head(log), SHOWN_WAIT_MAX) == Arrival.REACHED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns open orders, in the order of their users. */
    List<OpenOrder> find(ActivityId activityId, String afterUser, int max) {
        return logs.all().stream()
                .flatMap(log -> find(log, activityId, afterUser, max).stream())
                .sorted(comparing(order -> order.accountId().userId().value()))
                .limit(max)
                .toList();
    }

    private static List<OpenOrder> find(Log log, ActivityId activityId, String afterUser, int max) {
        return log.sql()
                .sql(OPEN)
                .withQueryTimeout(Math.toIntExact(STATEMENT_MAX.toSeconds()))
                .params(activityId.value(), afterUser, max)
                .query((row, i) -> new OpenOrder(
                        new AccountId(activityId, new UserId(row.getString("user_id"))),
                        RaffleOrderId.of(row.getString("open_order_id"))))
                .list();
    }
}
