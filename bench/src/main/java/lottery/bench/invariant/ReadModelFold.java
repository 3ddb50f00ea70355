package lottery.bench.invariant;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A read model that is computed from the events again. */
interface ReadModelFold {

    /** The format of a moment here; the database keeps microseconds, rounded. */
    DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /** The same format in SQL, for the column that is put in. */
    String MOMENT_SQL = "to_char(%s AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')";

    /** The value of an empty column. */
    String NOTHING = "nothing";

    /**
     * A row of the table.
     *
     * @param version the newest event that the row has seen, in its stream or in the log
     * @param columns by name, each as text
     */
    record Row(String key, long version, Map<String, String> columns) {}

    String table();

    /** Returns the query for all rows: the key, the version, and the columns to compare. */
    String sql();

    /** Returns whether the row with this key is checked. */
    default boolean has(String key) {
        return true;
    }

    /** Returns the rows that the event takes away, if it does not put them back. It is called before {@link #after}. */
    default Set<String> gone(EventTableRow event) {
        return Set.of();
    }

    /** Returns the rows that the event has changed, as they are after it. */
    List<Row> after(EventTableRow event);

    static String moment(Instant instant) {
        return MOMENT.format(rounded(instant));
    }

    static Instant rounded(Instant instant) {
        return instant.plusNanos(500).truncatedTo(ChronoUnit.MICROS);
    }
}
