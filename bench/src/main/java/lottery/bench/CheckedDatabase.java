package lottery.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;

/**
 * The PostgreSQL database of the lottery to check.
 *
 * @param others the databases of the logs from log 01 on, each of which has no others; empty if there is one log
 */
public record CheckedDatabase(String url, String user, String password, List<CheckedDatabase> others) {

    private static final int LOGS_MAX = 64;

    private static final int CONNECT_MAX_SECONDS = 10;
    private static final int ANSWER_MAX_SECONDS = 120;

    public CheckedDatabase {
        others = List.copyOf(others);
    }

    /** Creates the database of a lottery with one log. */
    public CheckedDatabase(String url, String user, String password) {
        this(url, user, password, List.of());
    }

    /** Returns the database of a lottery that has this many logs, all of them in this database. */
    public CheckedDatabase withLogs(int logs) {
        return new CheckedDatabase(
                url, user, password, Collections.nCopies(logs - 1, new CheckedDatabase(url, user, password)));
    }

    /**
     * Returns the database from the arguments, or otherwise from the lottery's own environment variables.
     *
     * @param named the arguments by name; used arguments are removed
     * @throws IllegalArgumentException if neither the arguments nor the variables have the address of the database
     */
    public static CheckedDatabase of(Map<String, String> named, Map<String, String> environment) {
        CheckedDatabase home = new CheckedDatabase(
                setting("url", named, environment),
                setting("user", named, environment),
                setting("password", named, environment));
        String argument = named.remove("logs");
        int logs = logs(argument == null ? environment.getOrDefault("LOTTERY_LOGS", "1") : argument);
        return new CheckedDatabase(
                home.url,
                home.user,
                home.password,
                IntStream.range(1, logs)
                        .mapToObj(log -> home.ofLog(UnitedLogs.schema(log), environment))
                        .toList());
    }

    private static int logs(String value) {
        if (!value.matches("[1-9][0-9]?") || Integer.parseInt(value) > LOGS_MAX) {
            throw new IllegalArgumentException(
                    "The number of logs is from 1 to %d, and not %s.".formatted(LOGS_MAX, value));
        }
        return Integer.parseInt(value);
    }

    /** Returns the database of another log, from the lottery's own variables for it. */
    private CheckedDatabase ofLog(String schema, Map<String, String> environment) {
        String prefix = "LOTTERY_" + schema.toUpperCase(Locale.ROOT);
        return new CheckedDatabase(
                environment.getOrDefault(prefix + "_URL", url),
                environment.getOrDefault(prefix + "_USER", user),
                environment.getOrDefault(prefix + "_PASSWORD", password));
    }

    private static String setting(String name, Map<String, String> named, Map<String, String> environment) {
        String variable = "LOTTERY_POSTGRES_" + name.toUpperCase(Locale.ROOT);
        String argument = named.remove(name);
        String value = argument == null ? environment.get(variable) : argument;
        if (value == null) {
            throw new IllegalArgumentException("Neither --" + name + " nor " + variable + " is given.");
        }
        return value;
    }

    /**
     * Opens a connection that reads one snapshot, even if reading takes long and other transactions write meanwhile. It
     * may create temporary tables if there are several logs.
     */
    Connection connect() throws SQLException {
        Connection connection = open();
        connection.setReadOnly(others.isEmpty());
        return snapshot(connection);
    }

    /** Opens such a connection to a schema of this database. */
    Connection connect(String schema) throws SQLException {
        Connection connection = open();
        connection.setSchema(schema);
        connection.setReadOnly(true);
        return snapshot(connection);
    }

    private static Connection snapshot(Connection connection) throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);
        return connection;
    }

    private Connection open() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("ApplicationName", "lottery-checker");
        properties.setProperty("connectTimeout", Integer.toString(CONNECT_MAX_SECONDS));
        properties.setProperty("socketTimeout", Integer.toString(ANSWER_MAX_SECONDS));
        return DriverManager.getConnection(url, properties);
    }

    /** Leaves the password out. */
    @Override
    public String toString() {
        String home = user + " at " + url.replaceFirst("\\?.*", "");
        return others.isEmpty() ? home : home + ", with %d other logs".formatted(others.size());
    }
}
