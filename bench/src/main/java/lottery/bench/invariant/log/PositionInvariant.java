package lottery.bench.invariant.log;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.InvariantVerdict;

/**
 * Checks that the positions of the log run from 1 to the head without gaps. Therefore a reader that has read up to a
 * position has missed no event before that position.
 */
public final class PositionInvariant {

    private static final String COUNT = "SELECT count(*) FROM event";

    private static final String HEAD =
            "SELECT position, (SELECT coalesce(max(position), 0) FROM event) FROM event_head";

    private static final String HOLES = """
            SELECT position, before
            FROM (SELECT position, lag(position, 1, 0::bigint) OVER (ORDER BY position) AS before FROM event) AS placed
            WHERE position <> before + 1
            ORDER BY position""";

    private PositionInvariant() {}

    public static InvariantVerdict check(Connection connection) throws SQLException {
        FindingTally tally = new FindingTally();
        try (Statement statement = connection.createStatement()) {
            try (ResultSet count = statement.executeQuery(COUNT)) {
                count.next();
                tally.checked(count.getLong(1));
            }
            try (ResultSet head = statement.executeQuery(HEAD)) {
                head.next();
                if (head.getLong(1) != head.getLong(2)) {
                    tally.violated("the head is %d, and the last event %d".formatted(head.getLong(1), head.getLong(2)));
                }
            }
            statement.setFetchSize(EventTableRow.FETCH_ROWS);
            try (ResultSet holes = statement.executeQuery(HOLES)) {
                while (holes.next()) {
                    tally.violated("event %d follows on event %d".formatted(holes.getLong(1), holes.getLong(2)));
                }
            }
        }
        return tally.verdict("log", "positions have no gaps");
    }
}
