package lottery.bench.invariant.readmodel;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.InvariantVerdict;

/**
 * Checks I8 for {@code view_stock}, the table that counts taken units. That table does not say up to which event it has
 * counted. Therefore it is compared with {@code view_unit}: each count has to equal the number of rows there, at any
 * time. The rows of {@code view_unit} are in turn checked against the fold of the events.
 */
public final class StockViewCountInvariant {

    /** Compares both tables. A stock without taken units may have a row or none. */
    private static final String STOCKS = """
            SELECT stock, coalesce(counted.taken, 0), coalesce(units.taken, 0)
            FROM (SELECT activity_id || '/' || kind || '/' || number AS stock, taken FROM view_stock) AS counted
            FULL JOIN (SELECT activity_id || '/' || kind || '/' || number AS stock, count(*) AS taken
                       FROM view_unit GROUP BY 1) AS units USING (stock)
            ORDER BY stock""";

    private StockViewCountInvariant() {}

    public static InvariantVerdict check(Connection connection) throws SQLException {
        FindingTally tally = new FindingTally();
        try (Statement statement = connection.createStatement();
                ResultSet stocks = statement.executeQuery(STOCKS)) {
            while (stocks.next()) {
                tally.checked();
                if (stocks.getLong(2) != stocks.getLong(3)) {
                    tally.violated("view_stock has taken %d for %s, view_unit has %d"
                            .formatted(stocks.getLong(2), stocks.getString(1), stocks.getLong(3)));
                }
            }
        }
        return tally.verdict("I8", "view_stock = count(view_unit)");
    }
}
