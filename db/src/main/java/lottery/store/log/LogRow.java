package lottery.store.log;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/** An event that is in the log. */
public record LogRow(long position, EventRow row) {

    static LogRow of(ResultSet row, int ignored) throws SQLException {
        return new LogRow(row.getLong("position"), rowOf(row));
    }

    /** Reads the columns of an event, except its position. */
    public static EventRow rowOf(ResultSet row) throws SQLException {
        return new EventRow(
                row.getString("aggregate_id"),
                row.getInt("sequence"),
                row.getString("aggregate_type"),
                row.getObject("event_id", UUID.class),
                row.getTimestamp("at").toInstant(),
                row.getString("type"),
                row.getString("revision"),
                row.getBytes("payload"),
                row.getBytes("metadata"));
    }
}
