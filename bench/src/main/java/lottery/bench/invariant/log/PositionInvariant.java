package lottery.bench.invariant.log;

import static lottery.bench.invariant.EventTableRow.POSITION_BITS;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.InvariantVerdict;

/**
 * Checks that the positions of each log run from 1 to the head without gaps. Therefore a reader that has read up to a
 * position has missed no event before that position.
 */
public final class PositionInvariant {

    private static final String COUNT = "SELECT count(*) FROM event";

    /** The smallest and the largest position that a log can have follow from the position of its head. */
    private static final String HEADS = """
            SELECT position, (SELECT coalesce(max(event.position), event_head.position >> %1$d << %1$d) FROM event
                              WHERE event.position BETWEEN event_head.position >> %1$d << %1$d
                                                       AND (event_head.position >> %1$d << %1$d) + %2$d)
            FROM event_head ORDER BY position""".formatted(POSITION_BITS, (1L << POSITION_BITS) - 1);

    /** The first position of a log does not follow on the last position of the log before it. */
    private static final String HOLES = """
            SELECT position, before
            FROM (SELECT position, lag(position, 1, 0::bigint) OVER (ORDER BY position) AS before FROM event) AS placed
            WHERE position <> before + 1 AND (position & %1$d <> 1 OR position = before)
            ORDER BY position""".formatted((1L << POSITION_BITS) - 1);

    private PositionInvariant() {}

    /** Returns the number of logs that the connection reads. Each log has a head. */
    public static long logs(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet heads = statement.executeQuery("SELECT count(*) FROM event_head")) {
            heads.next();
            return heads.getLong(1);
        }
    }

    public static InvariantVerdict check(Connection connection) throws SQLException {
        FindingTally tally = new FindingTally();
        try (Statement statement = connection.createStatement()) {
            try (ResultSet count = statement.executeQuery(COUNT)) {
                count.next();
                tally.checked(count.getLong(1));
            }
            try (ResultSet head = statement.executeQuery(HEADS)) {
                while (head.next()) {
                    if (head.getLong(1) != head.getLong(2)) {
                        tally.violated(
                                "the head is %d, and the last event %d".formatted(head.getLong(1), head.getLong(2)));
                    }
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
