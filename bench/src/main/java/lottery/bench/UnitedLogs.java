package lottery.bench;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import lottery.bench.invariant.EventTableRow;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;

/**
 * Lets a connection read the tables of all logs as if they were one table each. A temporary view with the name of the
 * table hides the table of the home log, so SQL need not know of logs. Tables of other databases are copied.
 *
 * <p>A position is the number that the lottery shows for a log and a position. The column {@code in_log} is the log of
 * a row. The view of counters has what is taken in all logs, and the limit of the home log.
 */
public final class UnitedLogs {

    private static final String COUNTER = "counter";
    private static final String COUNTER_IN_LOG = "counter_in_log";

    /** Positions in the log are columns with such a name. */
    private static final String POSITION = "position";

    private static final String COLUMNS = """
            SELECT quote_ident(current_schema()), relname, array_agg(attname::text ORDER BY attnum)
            FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
            WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
              AND relname = ANY (?) AND attnum > 0 AND NOT attisdropped
            GROUP BY relname ORDER BY relname""";

    /** A block that is out is taken at home, and is not taken by anybody yet. */
    private static final String COUNTERS = """
            CREATE TEMP VIEW counter AS
            SELECT name, sum(taken)::bigint AS taken, sum(total)::bigint AS total
            FROM (SELECT name, taken, CASE in_log WHEN 0 THEN total ELSE 0 END AS total FROM counter_in_log
                  UNION ALL
                  SELECT counter, CASE WHEN returned THEN amount ELSE -amount END, 0
                  FROM counter_block WHERE in_log = 0) AS part
            GROUP BY name""";

    private final Connection connection;
    private final List<CheckedDatabase> others;
    private final String home;
    private final Map<String, List<String>> columns;

    private UnitedLogs(
            Connection connection, List<CheckedDatabase> others, String home, Map<String, List<String>> columns) {
        this.connection = connection;
        this.others = others;
        this.home = home;
        this.columns = columns;
    }

    /**
     * Creates the views. They end with the transaction, or with the connection if it commits each statement by itself.
     * Until then, no table that they read can be dropped.
     *
     * @param connection a connection to the home log
     * @param tables the tables and views to read; the ones that do not exist are left out
     */
    public static void create(Connection connection, CheckedDatabase database, List<String> tables)
            throws SQLException {
        Map<String, List<String>> columns = new LinkedHashMap<>();
        String home = "";
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            statement.setArray(1, connection.createArrayOf("text", tables.toArray()));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    home = rows.getString(1);
                    Array names = rows.getArray(3);
                    columns.put(rows.getString(2), List.of((String[]) names.getArray()));
                }
            }
        }
        UnitedLogs logs = new UnitedLogs(connection, database.others(), home, columns);
        for (int log = 1; log <= logs.others.size(); log++) {
            CheckedDatabase other = logs.others.get(log - 1);
            if (!other.url().equals(database.url())) {
                logs.copy(other, log);
            }
        }
        logs.createViews(database.url());
    }

    /** Returns the schema of a log, without the home log. */
    static String schema(int log) {
        return log < 10 ? "log_0" + log : "log_" + log;
    }

    private void createViews(String url) throws SQLException {
        for (Map.Entry<String, List<String>> each : columns.entrySet()) {
            String table = each.getKey();
            String rows = IntStream.rangeClosed(0, others.size())
                    .mapToObj(log -> rows(table, each.getValue(), log, url))
                    .collect(Collectors.joining(" UNION ALL "));
            execute("CREATE TEMP VIEW %s AS %s".formatted(table.equals(COUNTER) ? COUNTER_IN_LOG : table, rows));
        }
        if (columns.containsKey(COUNTER)) {
            execute(COUNTERS);
        }
    }

    private String rows(String table, List<String> names, int log, String url) {
        long before = (long) log << EventTableRow.POSITION_BITS;
        String values = names.stream()
                .map(column -> log > 0 && isPosition(column)
                        ? "\"%1$s\" + %2$d AS \"%1$s\"".formatted(column, before)
                        : '"' + column + '"')
                .collect(Collectors.joining(", "));
        String source = log == 0
                ? home + "." + table
                : others.get(log - 1).url().equals(url) ? schema(log) + "." + table : copyOf(table, log);
        return "SELECT %s, %d AS in_log FROM %s".formatted(values, log, source);
    }

    private static boolean isPosition(String column) {
        return column.equals(POSITION) || column.endsWith("_" + POSITION);
    }

    private static String copyOf(String table, int log) {
        return "pg_temp." + schema(log) + "_" + table;
    }

    /** Copies the tables of a log in another database, as one snapshot shows them. */
    private void copy(CheckedDatabase other, int log) throws SQLException {
        try (Connection there = other.connect(schema(log))) {
            CopyManager from = there.unwrap(PGConnection.class).getCopyAPI();
            CopyManager to = connection.unwrap(PGConnection.class).getCopyAPI();
            try (Statement statement = there.createStatement()) {
                statement.execute(lock(columns.keySet().stream()));
            }
            for (Map.Entry<String, List<String>> table : columns.entrySet()) {
                String copy = copyOf(table.getKey(), log);
                String names = table.getValue().stream().collect(Collectors.joining("\", \"", "\"", "\""));
                execute("CREATE TEMP TABLE %s (LIKE %s.%s)"
                        .formatted(copy.substring(copy.indexOf('.') + 1), home, table.getKey()));
                CopyOut out = from.copyOut(
                        "COPY (SELECT %s FROM %s) TO STDOUT (FORMAT binary)".formatted(names, table.getKey()));
                CopyIn in = to.copyIn("COPY %s (%s) FROM STDIN (FORMAT binary)".formatted(copy, names));
                for (byte[] row = out.readFromCopy(); row != null; row = out.readFromCopy()) {
                    in.writeToCopy(row, 0, row.length);
                }
                in.endCopy();
                execute("ANALYZE " + copy);
            }
        }
    }

    /**
     * Returns a statement that locks tables which are read, so that no replay can replace the table of a read model
     * before it is read.
     */
    static String lock(Stream<String> tables) {
        return tables.collect(Collectors.joining(", ", "LOCK TABLE ", " IN ACCESS SHARE MODE"));
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
