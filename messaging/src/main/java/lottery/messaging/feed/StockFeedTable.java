package lottery.messaging.feed;

import java.util.BitSet;
import java.util.List;
import lottery.api.activity.ActivityId;
import lottery.messaging.feed.FeedStockLevel.StockStep;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Stores the stock levels that the feed has reported, in the transaction of the feed's token. */
@Component
final class StockFeedTable {

    /** An award of an activity. */
    record StockKey(ActivityId activityId, int awardId) {}

    private static final String READ_UNITS = "SELECT units FROM feed_stock WHERE activity_id = ? AND award_id = ?";

    private static final String READ_STEPS = """
            SELECT total, percent, units_left, position FROM feed_stock_step
            WHERE activity_id = ? AND award_id = ?""";

    private static final String WRITE_UNITS = """
            INSERT INTO feed_stock (activity_id, award_id, units) VALUES (?, ?, ?)
            ON CONFLICT (activity_id, award_id) DO UPDATE SET units = excluded.units""";

    private static final String WRITE_STEP = """
            INSERT INTO feed_stock_step (activity_id, award_id, total, percent, units_left, position)
            VALUES (?, ?, ?, ?, ?, ?)""";

    private final JdbcClient database;

    StockFeedTable(JdbcClient database) {
        this.database = database;
    }

    FeedStockLevel read(StockKey key) {
        BitSet units = database.sql(READ_UNITS)
                .params(key.activityId().value(), key.awardId())
                .query((row, _) -> BitSet.valueOf(row.getBytes("units")))
                .optional()
                .orElseGet(BitSet::new);
        List<StockStep> steps = database.sql(READ_STEPS)
                .params(key.activityId().value(), key.awardId())
                .query((row, _) -> new StockStep(
                        row.getInt("total"), row.getInt("percent"), row.getInt("units_left"), row.getLong("position")))
                .list();
        return new FeedStockLevel(units, steps);
    }

    void write(StockKey key, FeedStockLevel level) {
        long activity = key.activityId().value();
        var _ = database.sql(WRITE_UNITS)
                .params(activity, key.awardId(), level.taken())
                .update();
        for (StockStep step : level.fresh()) {
            var _ = database.sql(WRITE_STEP)
                    .params(activity, key.awardId(), step.total(), step.percent(), step.left(), step.position())
                    .update();
        }
    }
}
