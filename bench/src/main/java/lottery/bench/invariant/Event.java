package lottery.bench.invariant;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * A row of the event table.
 *
 * @param position in global order, without a hole
 * @param stream the aggregate it belongs to
 * @param sequence its place in that stream, from 0 on
 * @param name its stable name
 * @param at when it happened
 */
record Event(long position, String stream, long sequence, String name, Instant at, Document payload) {

    /** All events, the oldest first. */
    static final String IN_ORDER = """
            SELECT position, aggregate_id, sequence, type, at, payload
            FROM event ORDER BY position""";

    /** The row that the cursor is at. */
    static Event of(ResultSet row) throws SQLException {
        return new Event(
                row.getLong(1),
                row.getString(2),
                row.getLong(3),
                row.getString(4),
                row.getObject(5, OffsetDateTime.class).toInstant(),
                Document.of(row.getBytes(6)));
    }

    /** What draw and award have in common: the order's id and the award record's, without their prefixes. */
    static String key(String id) {
        return id.substring(id.indexOf(':') + 1);
    }
}
