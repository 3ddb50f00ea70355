package lottery.view;

import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes the array of one column's values over many rows, for PostgreSQL's {@code unnest}. */
public final class UnnestColumn {

    private UnnestColumn() {}

    /**
     * Returns the values of one column, for all rows.
     *
     * @param type PostgreSQL's type name of a value
     * @param value returns the value of a row; a time is given as {@link #text}
     */
    public static <T> Array of(Connection connection, String type, List<T> rows, Function<T, @Nullable Object> value)
            throws SQLException {
        return connection.createArrayOf(type, rows.stream().map(value).toArray());
    }

    /**
     * Returns a time as text for PostgreSQL, rounded to microseconds as the driver does it. PostgreSQL itself would
     * round some halves down.
     */
    public static String text(Instant moment) {
        return moment.plusNanos(500).truncatedTo(ChronoUnit.MICROS).toString();
    }
}
