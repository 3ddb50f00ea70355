package lottery.view.stock;

import java.util.List;
import lottery.api.activity.ActivityId;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.stereotype.Component;

/**
 * What is left on the shelves of activities: how much there is says the newest definition, how much is taken the units.
 */
@Component
public class StockLevels {

    private static final String SHELVES = """
            SELECT shelf.activity_id, shelf.kind, shelf.number, shelf.title, shelf.total, coalesce(known.taken, 0) AS taken
            FROM (
                SELECT activity_id, state, 'AWARD' AS kind, award_id AS number, title, stock AS total
                FROM view_activity
                CROSS JOIN LATERAL (SELECT max(version) AS version FROM view_award AS any_award
                                    WHERE any_award.strategy_id = view_activity.strategy_id) AS newest
                JOIN view_award ON view_award.strategy_id = view_activity.strategy_id
                               AND view_award.version = newest.version
                UNION ALL
                SELECT activity_id, state, 'SKU', (sku ->> 'sku')::bigint, sku ->> 'title', (sku ->> 'stock')::integer
                FROM view_activity CROSS JOIN LATERAL jsonb_array_elements(definition::jsonb -> 'skus') AS sku
            ) AS shelf
            LEFT JOIN view_stock known USING (activity_id, kind, number)
            WHERE shelf.total IS NOT NULL\
            """;

    private static final RowMapper<LimitedStock> SHELF = (row, _) -> new LimitedStock(
            row.getLong("activity_id"),
            LimitedStock.Kind.valueOf(row.getString("kind")),
            row.getLong("number"),
            row.getString("title"),
            row.getInt("total"),
            row.getInt("taken"));

    private final JdbcOperations database;

    StockLevels(JdbcOperations database) {
        this.database = database;
    }

    /** All that are limited in an activity. */
    public List<LimitedStock> of(ActivityId activityId) {
        return database.query(
                SHELVES + " AND shelf.activity_id = ? ORDER BY shelf.kind, shelf.number", SHELF, activityId.value());
    }

    /** Of activities that are running, the newest of them first, and no more than so many. */
    List<LimitedStock> running(int max) {
        return database.query(
                SHELVES
                        + " AND shelf.state = 'DOING' ORDER BY shelf.activity_id DESC, shelf.kind, shelf.number LIMIT ?",
                SHELF,
                max);
    }
}
