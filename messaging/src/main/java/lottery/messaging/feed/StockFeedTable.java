package lottery.messaging.feed;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lottery.api.activity.StockId;
import lottery.store.axon.LimitedCounters;
import lottery.store.log.Logs;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Stores the stock levels that the feed has reported, in the transaction of the feed's token. */
@Component
final class StockFeedTable {

    private static final String READ_TAKEN = "SELECT taken FROM feed_stock WHERE name = ?";

    private static final String READ_STEPS = "SELECT total, percent FROM feed_stock_step WHERE name = ?";

    private static final String WRITE_TAKEN = """
            INSERT INTO feed_stock (name, taken) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET taken = excluded.taken""";

    private static final String WRITE_STEP = """
            INSERT INTO feed_stock_step (name, total, percent) VALUES (?, ?, ?)
            ON CONFLICT (name, total) DO UPDATE SET percent = excluded.percent""";

    private final JdbcClient database;
    private final LimitedCounters counters;
    private final boolean isOnlyLog;

    StockFeedTable(JdbcClient database, LimitedCounters counters, Logs logs) {
        this.database = database;
        this.counters = counters;
        this.isOnlyLog = logs.all().size() == 1;
    }

    /**
     * Reads the level before the events that are handled now. With several logs, no log knows the events of the others,
     * so what the counter says is the level after these events.
     */
    FeedStockLevel read(StockId stockId) {
        return isOnlyLog
                ? new FeedStockLevel(takenOf(stockId), stepsOf(stockId))
                : FeedStockLevel.counted(
                        counters.taken(List.of(stockId.counter())).getOrDefault(stockId.counter(), 0L),
                        stepsOf(stockId));
    }

    private long takenOf(StockId stockId) {
        return database.sql(READ_TAKEN)
                .param(stockId.counter())
                .query(Long.class)
                .optional()
                .orElse(0L);
    }

    private Map<Long, Integer> stepsOf(StockId stockId) {
        Map<Long, Integer> steps = new HashMap<>();
        RowCallbackHandler add = row -> steps.put(row.getLong("total"), row.getInt("percent"));
        database.sql(READ_STEPS).param(stockId.counter()).query(add);
        return steps;
    }

    void write(StockId stockId, FeedStockLevel level) {
        var _ = database.sql(WRITE_TAKEN)
                .params(stockId.counter(), level.taken())
                .update();
        level.fresh().forEach((total, percent) -> {
            var _ = database.sql(WRITE_STEP)
                    .params(stockId.counter(), total, percent)
                    .update();
        });
    }
}
