package lottery.view.stock;

import java.util.List;
import java.util.Map;
import lottery.api.activity.ActivityId;
import lottery.store.axon.LimitedCounters;
import lottery.store.log.HomeLog;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.stereotype.Component;

/**
 * Reads the levels of limited stock. The total of a stock comes from the approved definition, and the number of taken
 * units from its counter, which changes in the commit of each draw.
 */
@Component
public class StockUsageReader {

    private static final String STOCKS = """
            SELECT limited.activity_id, limited.kind, limited.number, limited.title, limited.total,
                   lower(kind) || ':' || activity_id || '/' || number AS counter
            FROM (
                SELECT activity_id, state, 'AWARD' AS kind, award_id AS number, title, stock AS total
                FROM view_activity
                CROSS JOIN LATERAL (SELECT max(version) AS version FROM view_award AS any_award
                                    WHERE any_award.strategy_id = view_activity.strategy_id) AS newest
                JOIN view_award ON view_award.strategy_id = view_activity.strategy_id
                               AND view_award.version = coalesce(view_activity.strategy_version, newest.version)
                UNION ALL
                SELECT activity_id, state, 'SKU', (sku ->> 'sku')::bigint, sku ->> 'title', (sku ->> 'stock')::integer
                FROM view_activity CROSS JOIN LATERAL jsonb_array_elements(definition::jsonb -> 'skus') AS sku
            ) AS limited
            WHERE limited.total IS NOT NULL\
            """;

    /** A stock without the number of its taken units. */
    private record LimitedStock(
            long activityId,
            StockUsage.LimitedKind kind,
            long number,
            @Nullable String title,
            int total,
            String counter) {

        StockUsage taken(Map<String, Long> taken) {
            return new StockUsage(
                    activityId, kind, number, title, total, Math.toIntExact(taken.getOrDefault(counter, 0L)));
        }
    }

    private static final RowMapper<LimitedStock> STOCK = (row, _) -> new LimitedStock(
            row.getLong("activity_id"),
            StockUsage.LimitedKind.valueOf(row.getString("kind")),
            row.getLong("number"),
            row.getString("title"),
            row.getInt("total"),
            row.getString("counter"));

    private final JdbcOperations database;
    private final LimitedCounters counters;

    StockUsageReader(@HomeLog JdbcOperations database, LimitedCounters counters) {
        this.database = database;
        this.counters = counters;
    }

    /** Returns all limited stocks of an activity. */
    public List<StockUsage> of(ActivityId activityId) {
        return usages(database.query(
                STOCKS + " AND limited.activity_id = ? ORDER BY limited.kind, limited.number",
                STOCK,
                activityId.value()));
    }

    /** Returns limited stocks of running activities, the newest activity first, at most {@code max} of them. */
    List<StockUsage> running(int max) {
        return usages(database.query(
                STOCKS
                        + " AND limited.state IN ('DOING', 'PAUSED') ORDER BY limited.activity_id DESC, limited.kind, limited.number LIMIT ?",
                STOCK,
                max));
    }

    private List<StockUsage> usages(List<LimitedStock> stocks) {
        Map<String, Long> taken =
                counters.taken(stocks.stream().map(LimitedStock::counter).toList());
        return stocks.stream().map(stock -> stock.taken(taken)).toList();
    }
}
