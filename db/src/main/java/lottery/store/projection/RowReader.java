package lottery.store.projection;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Reads rows of a {@link Projection} for queries. A row is read into the same records from which it was written. A
 * table without one of the columns fails the constructor, so it fails the start of a process and not its queries.
 */
public final class RowReader<K extends Record, R extends Record> {

    private final JdbcOperations database;
    private final RecordColumns<K> keys;
    private final RecordColumns<R> columns;
    private final String select;

    public RowReader(JdbcOperations database, String table, Class<K> key, Class<R> row) {
        this.database = database;
        this.keys = RecordColumns.of(key);
        this.columns = RecordColumns.of(row);
        List<String> names =
                Stream.concat(keys.names().stream(), columns.names().stream()).toList();
        this.select = "SELECT " + String.join(", ", names) + " FROM " + table + " WHERE ";
        database.execute(select + "false");
    }

    /**
     * Returns what the form makes of each row that was found.
     *
     * @param condition what comes after {@code WHERE}, with a question mark for each argument
     */
    public <T> List<T> find(BiFunction<K, R, T> form, String condition, Object... arguments) {
        return database.query(select + condition, (row, _) -> form.apply(keys.read(row), columns.read(row)), arguments);
    }
}
