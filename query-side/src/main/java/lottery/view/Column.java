package lottery.view;

import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One thing that is to be written of each of many rows: an array, as {@code unnest} takes it. */
public final class Column {

    private Column() {}

    /**
     * A column of all rows.
     *
     * @param type PostgreSQL's name for that of one value; moments are given as text, which says what zone they are in
     */
    public static <T> Array of(Connection connection, String type, List<T> rows, Function<T, @Nullable Object> value)
            throws SQLException {
        return connection.createArrayOf(type, rows.stream().map(value).toArray());
    }
}
