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

    /** An award of an activity. */
    record StockKey(ActivityId activityId, int awardId) {}

    private static final String READ_TAKEN = "SELECT taken FROM feed_stock WHERE activity_id = ? AND award_id = ?";

    private static final String READ_STEPS =
            "SELECT total, percent FROM feed_stock_step WHERE activity_id = ? AND award_id = ?";

    private static final String WRITE_TAKEN = """
            INSERT INTO feed_stock (activity_id, award_id, taken) VALUES (?, ?, ?)
            ON CONFLICT (activity_id, award_id) DO UPDATE SET taken = excluded.taken""";

    private static final String WRITE_STEP = """
            INSERT INTO feed_stock_step (activity_id, award_id, total, percent) VALUES (?, ?, ?, ?)
            ON CONFLICT (activity_id, award_id, total) DO UPDATE SET percent = excluded.percent""";

    private final JdbcClient database;

    StockFeedTable(JdbcClient database) {
        this.database = database;
    }

    FeedStockLevel read(StockKey key) {
        int taken = database.sql(READ_TAKEN)
                .params(key.activityId().value(), key.awardId())
                .query(Integer.class)
                .optional()
                .orElse(0);
        Map<Integer, Integer> steps = new HashMap<>();
        RowCallbackHandler add = row -> steps.put(row.getInt("total"), row.getInt("percent"));
        database.sql(READ_STEPS).params(key.activityId().value(), key.awardId()).query(add);
        return new FeedStockLevel(taken, steps);
    }

    void write(StockKey key, FeedStockLevel level) {
        long activity = key.activityId().value();
        var _ = database.sql(WRITE_TAKEN)
                .params(activity, key.awardId(), level.taken())
                .update();
        level.fresh().forEach((total, percent) -> {
            var _ = database.sql(WRITE_STEP)
                    .params(activity, key.awardId(), total, percent)
                    .update();
        });
    }
}
