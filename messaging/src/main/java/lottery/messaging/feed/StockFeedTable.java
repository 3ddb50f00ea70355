package lottery.messaging.feed;

import java.util.HashMap;
import java.util.Map;
import lottery.api.activity.ActivityId;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Stores the stock levels that the feed has reported, in the transaction of the feed's token. */
@Component
final class StockFeedTable {

    /**
     * An award of an activity, or its budget.
     *
     * @param name the name of its counter
     */
    record StockKey(String name) {

        static StockKey ofAward(ActivityId activityId, int awardId) {
            return new StockKey("award:" + activityId.value() + "/" + awardId);
        }

        static StockKey ofBudget(ActivityId activityId) {
            return new StockKey("budget:" + activityId.value());
        }
    }

    private static final String READ_TAKEN = "SELECT taken FROM feed_stock WHERE name = ?";

    private static final String READ_STEPS = "SELECT total, percent FROM feed_stock_step WHERE name = ?";

    private static final String WRITE_TAKEN = """
            INSERT INTO feed_stock (name, taken) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET taken = excluded.taken""";

    private static final String WRITE_STEP = """
            INSERT INTO feed_stock_step (name, total, percent) VALUES (?, ?, ?)
            ON CONFLICT (name, total) DO UPDATE SET percent = excluded.percent""";

    private final JdbcClient database;

    StockFeedTable(JdbcClient database) {
        this.database = database;
    }

    FeedStockLevel read(StockKey key) {
        long taken = database.sql(READ_TAKEN)
                .param(key.name())
                .query(Long.class)
                .optional()
                .orElse(0L);
        Map<Long, Integer> steps = new HashMap<>();
        RowCallbackHandler add = row -> steps.put(row.getLong("total"), row.getInt("percent"));
        database.sql(READ_STEPS).param(key.name()).query(add);
        return new FeedStockLevel(taken, steps);
    }

    void write(StockKey key, FeedStockLevel level) {
        var _ = database.sql(WRITE_TAKEN).params(key.name(), level.taken()).update();
        level.fresh().forEach((total, percent) -> {
            var _ = database.sql(WRITE_STEP).params(key.name(), total, percent).update();
        });
    }
}
