package lottery.bench.invariant.log;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.InvariantVerdict;

/** Checks that each claim has one holder. It counts the rows, and does not rely on the primary key of the table. */
public final class ClaimUniquenessInvariant {

    private static final String COUNT = "SELECT count(*) FROM claim";

    private static final String SHARED = """
            SELECT scope, key, min(holder), max(holder) FROM claim
            GROUP BY scope, key HAVING count(*) > 1
            ORDER BY scope, key""";

    private ClaimUniquenessInvariant() {}

    public static InvariantVerdict check(Connection connection) throws SQLException {
        FindingTally tally = new FindingTally();
        try (Statement statement = connection.createStatement()) {
            try (ResultSet count = statement.executeQuery(COUNT)) {
                count.next();
                tally.checked(count.getLong(1));
            }
            statement.setFetchSize(EventTableRow.FETCH_ROWS);
            try (ResultSet shared = statement.executeQuery(SHARED)) {
                while (shared.next()) {
                    tally.violated("%s of %s belongs to %s and to %s"
                            .formatted(
                                    shared.getString(2),
                                    shared.getString(1),
                                    shared.getString(3),
                                    shared.getString(4)));
                }
            }
        }
        return tally.verdict("claims", "what is claimed has one holder");
    }
}
