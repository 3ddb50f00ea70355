package lottery.store.projection;

import static java.util.stream.Collectors.joining;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;

/** Reads and writes a table of keys and rows, many rows at a time. */
final class RowTable<K extends Record, R extends Record> {

    private final JdbcOperations database;
    private final RecordColumns<K> keys;
    private final RecordColumns<R> values;
    private final String read;
    private final String write;
    private final String delete;

    RowTable(JdbcOperations database, String table, Class<K> key, Class<R> row) {
        this.database = database;
        this.keys = RecordColumns.of(key);
        this.values = RecordColumns.of(row);
        List<String> names =
                Stream.concat(keys.names().stream(), values.names().stream()).toList();
        String keyNames = String.join(", ", keys.names());
        String asked = "unnest(" + keys.parameters() + ") AS asked (" + keyNames + ")";
        this.read = "SELECT " + String.join(", ", names) + ", position FROM " + table + " JOIN " + asked + " USING ("
                + keyNames + ")";
        this.write = "INSERT INTO " + table + " (" + String.join(", ", names) + ", position) SELECT * FROM unnest("
                + keys.parameters() + ", " + values.parameters() + ", ?::bigint[]) ON CONFLICT (" + keyNames
                + ") DO UPDATE SET "
                + Stream.concat(values.names().stream(), Stream.of("position"))
                        .map(name -> name + " = excluded." + name)
                        .collect(joining(", "))
                + " WHERE " + table + ".position < excluded.position";
        this.delete = "DELETE FROM " + table + " USING " + asked + " WHERE "
                + keys.names().stream()
                        .map(name -> table + "." + name + " = asked." + name)
                        .collect(joining(" AND "));
    }

    /**
     * The state of a row under a key.
     *
     * @param position the position of the newest event that the row has seen
     */
    record StoredRow<R>(@Nullable R row, long position) {

        static <R> StoredRow<R> none() {
            return new StoredRow<>(null, 0);
        }
    }

    Map<K, StoredRow<R>> read(Collection<K> asked) {
        Map<K, StoredRow<R>> found = new HashMap<>();
        execute(read, (connection, statement) -> {
            keys.bind(connection, statement, 1, List.copyOf(asked));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.put(keys.read(rows), new StoredRow<>(values.read(rows), rows.getLong("position")));
                }
            }
        });
        return found;
    }

    void write(Map<K, StoredRow<R>> rows) {
        List<K> changed = new ArrayList<>();
        List<R> contents = new ArrayList<>();
        List<Long> positions = new ArrayList<>();
        List<K> gone = new ArrayList<>();
        rows.forEach((key, stored) -> {
            R row = stored.row();
            if (row == null) {
                gone.add(key);
            } else {
                changed.add(key);
                contents.add(row);
                positions.add(stored.position());
            }
        });
        if (!changed.isEmpty()) {
            execute(write, (connection, statement) -> {
                int next = keys.bind(connection, statement, 1, changed);
                next = values.bind(connection, statement, next, contents);
                statement.setArray(next, connection.createArrayOf("bigint", positions.toArray()));
                statement.executeUpdate();
            });
        }
        if (!gone.isEmpty()) {
            execute(delete, (connection, statement) -> {
                keys.bind(connection, statement, 1, gone);
                statement.executeUpdate();
            });
        }
    }

    private interface StatementTask {
        void with(Connection connection, PreparedStatement statement) throws SQLException;
    }

    private void execute(String sql, StatementTask work) {
        database.execute((ConnectionCallback<Boolean>) connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                work.with(connection, statement);
                return true;
            }
        });
    }
}
