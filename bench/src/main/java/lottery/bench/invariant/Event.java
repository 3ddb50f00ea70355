package lottery.bench.invariant;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * A row of the event table.
 *
 * @param position in global order
 * @param stream the aggregate it belongs to
 * @param sequence its place in that stream, from 0 on
 * @param name its stable name
 * @param timestamp when it happened, as it is written there
 */
record Event(long position, String stream, long sequence, String name, String timestamp, Document payload) {

    /** All events, the oldest first. */
    static final String IN_ORDER = """
            SELECT globalindex, aggregateidentifier, sequencenumber, payloadtype, timestamp, payload
            FROM domainevententry ORDER BY globalindex""";

    /** The row that the cursor is at. */
    static Event of(ResultSet row) throws SQLException {
        return new Event(
                row.getLong(1),
                row.getString(2),
                row.getLong(3),
                row.getString(4),
                row.getString(5),
                Document.of(row.getBytes(6)));
    }

    Instant at() {
        try {
            return Instant.parse(timestamp);
        } catch (DateTimeException notInstant) {
            throw new Unreadable("has no moment in its timestamp");
        }
    }

    /** What draw and award have in common: the order's id and the award record's, without their prefixes. */
    static String key(String id) {
        return id.substring(id.indexOf(':') + 1);
    }
}
