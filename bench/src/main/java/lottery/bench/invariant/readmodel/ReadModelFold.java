package lottery.bench.invariant.readmodel;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import lottery.bench.invariant.EventTableRow;

/** Computes a read model again from the events. */
interface ReadModelFold {

    /** The format of a time in this package. The database rounds times to microseconds. */
    DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /** The same format as a SQL expression, with a placeholder for the column. */
    String MOMENT_SQL = "to_char(%s AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')";

    /** The log of a row by its position, as the end of its key. A row of the home log adds nothing. */
    String LOG_SQL = "CASE position >> %1$d WHEN 0 THEN '' ELSE ' in log ' || (position >> %1$d) END"
            .formatted(EventTableRow.POSITION_BITS);

    /** The value of an empty column. */
    String NOTHING = "nothing";

    /**
     * A row of the table.
     *
     * @param version the newest event that the row has seen: its number in the stream, or its position in the log
     * @param columns the values of the columns by name, as text
     */
    record FoldedRow(String key, long version, Map<String, String> columns) {}

    String table();

    /** Returns the query for all rows: the key, the version, and the columns to compare. */
    String sql();

    /** Returns whether the row with this key is checked. */
    default boolean has(String key) {
        return true;
    }

    /**
     * Returns the keys of the rows that the event removes. Next, {@link #after} is called with the same event, and may
     * add such a row again.
     */
    default Set<String> gone(EventTableRow event) {
        return Set.of();
    }

    /** Returns the rows that the event changes, with their values after the event. */
    List<FoldedRow> after(EventTableRow event);

    /** Returns the log of an event, as the end of the key of a row that sums up many users of this log. */
    static String log(EventTableRow event) {
        return event.isAtHome() ? "" : " in log " + event.log();
    }

    static String moment(Instant instant) {
        return MOMENT.format(rounded(instant));
    }

    static Instant rounded(Instant instant) {
        return instant.plusNanos(500).truncatedTo(ChronoUnit.MICROS);
    }
}
