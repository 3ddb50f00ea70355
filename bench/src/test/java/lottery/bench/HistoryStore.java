package lottery.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A history in a database: its events, claims, counters and read models. It uses one connection, because it is restored
 * often.
 */
final class HistoryStore implements AutoCloseable {

    private static final List<Path> MIGRATIONS = List.of(
            Path.of("../db/src/main/resources/db/migration"), Path.of("../query-side/src/main/resources/db/migration"));

    /** The tables that a history fills. */
    private static final List<String> TABLES = List.of(
            "event",
            "claim",
            "counter",
            "series",
            "series_number",
            "view_activity",
            "view_award",
            "view_account",
            "view_win",
            "view_credit_entry",
            "view_entitlement",
            "view_trade",
            "view_proposal",
            "view_sign_in",
            "view_winner",
            "view_odds",
            "view_audit",
            "view_recharge",
            "view_figure",
            "parked_event");

    private final Connection connection;

    /**
     * Sends statements as scripts, which the server takes apart. The driver does not find the end of a function that is
     * written in SQL.
     */
    HistoryStore(CheckedDatabase database) throws SQLException {
        Properties script = new Properties();
        script.setProperty("user", database.user());
        script.setProperty("password", database.password());
        script.setProperty("preferQueryMode", "simple");
        connection = DriverManager.getConnection(database.url(), script);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    /** Creates the tables as the product itself does. */
    void prepare() throws SQLException, IOException {
        for (Path folder : MIGRATIONS) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.filter(path -> path.toString().endsWith(".sql"))
                        .sorted()
                        .toList()) {
                    sql(Files.readString(file));
                }
            }
        }
        sql(ReadModelTrigger.SQL);
    }

    void clear() throws SQLException {
        sql(TABLES.stream().map("DELETE FROM %s"::formatted).collect(Collectors.joining("; ")));
        sql("UPDATE event_head SET position = 0");
    }

    /** Saves the history as it is, so that it can be restored in a moment. */
    void save() throws SQLException {
        sql("CREATE SCHEMA saved");
        for (String table : TABLES) {
            sql("CREATE TABLE saved.%1$s AS TABLE %1$s".formatted(table));
        }
        sql("CREATE TABLE saved.event_head AS TABLE event_head");
    }

    /** Replaces everything by what was saved. The tables that follow the events were saved with them. */
    void restore() throws SQLException {
        String again = TABLES.stream()
                .map("DELETE FROM %1$s; INSERT INTO %1$s SELECT * FROM saved.%1$s"::formatted)
                .collect(Collectors.joining("; "));
        try {
            sql("""
                    SET history.restored = 'on';
                    %s;
                    UPDATE event_head SET position = (SELECT position FROM saved.event_head)""".formatted(again));
        } finally {
            sql("RESET history.restored");
        }
    }

    void event(String stream, long sequence, String name, String payload) throws SQLException {
        event(stream, sequence, name, payload, "{}");
    }

    void event(String stream, long sequence, String name, String payload, String metadata) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("""
                        WITH head AS (UPDATE event_head SET position = position + 1 RETURNING position)
                        INSERT INTO event (position, event_id, at, sequence, aggregate_id, type, payload, metadata)
                        SELECT position, gen_random_uuid(), '2026-11-30T04:00:01Z', ?, ?, ?, ?, ? FROM head""")) {
            insert.setLong(1, sequence);
            insert.setString(2, stream);
            insert.setString(3, name);
            insert.setBytes(4, payload.getBytes(UTF_8));
            insert.setBytes(5, metadata.getBytes(UTF_8));
            insert.executeUpdate();
        }
    }

    /** Returns the connection, for questions about the events so far. */
    Connection connection() {
        return connection;
    }

    /** Returns the position of the newest event. */
    long newest() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet head = statement.executeQuery("SELECT position FROM event_head")) {
            head.next();
            return head.getLong(1);
        }
    }

    void sql(String statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(statements);
        }
    }

    void claim(String scope, String key, String holder) throws SQLException {
        sql("INSERT INTO claim VALUES ('%s', '%s', '%s', 50)".formatted(scope, key, holder));
    }

    /** Sets how much of a limited thing is taken. */
    void count(String counter, int taken) throws SQLException {
        sql("""
                INSERT INTO counter AS known VALUES ('%1$s', %2$d, %2$d)
                ON CONFLICT (name) DO UPDATE
                SET taken = excluded.taken, total = greatest(known.total, excluded.total)""".formatted(counter, taken));
    }
}
