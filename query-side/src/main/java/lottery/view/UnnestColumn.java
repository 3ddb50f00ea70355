package lottery.view;

import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One thing that is to be written of each of many rows: an array, as {@code unnest} takes it. */
public final class UnnestColumn {

    private UnnestColumn() {}

    /**
     * A column of all rows.
     *
     * @param type PostgreSQL's name for that of one value
     * @param value of a row; a moment is given as {@link #text}
     */
    public static <T> Array of(Connection connection, String type, List<T> rows, Function<T, @Nullable Object> value)
            throws SQLException {
        return connection.createArrayOf(type, rows.stream().map(value).toArray());
    }

    /**
     * A moment as PostgreSQL reads it, to the microsecond, as the driver rounds: left to PostgreSQL, a half would go
     * down now and then.
     */
    public static String text(Instant moment) {
        return moment.plusNanos(500).truncatedTo(ChronoUnit.MICROS).toString();
    }
}
