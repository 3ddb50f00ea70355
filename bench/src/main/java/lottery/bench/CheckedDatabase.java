package lottery.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/** The PostgreSQL database of the lottery to check. */
public record CheckedDatabase(String url, String user, String password) {

    private static final int CONNECT_MAX_SECONDS = 10;
    private static final int ANSWER_MAX_SECONDS = 120;

    /**
     * Returns the database from the arguments, or otherwise from the lottery's own environment variables.
     *
     * @param named the arguments by name; used arguments are removed
     * @throws IllegalArgumentException if neither the arguments nor the variables have the address of the database
     */
    public static CheckedDatabase of(Map<String, String> named, Map<String, String> environment) {
        return new CheckedDatabase(
                setting("url", named, environment),
                setting("user", named, environment),
                setting("password", named, environment));
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
     * Opens a connection that reads one snapshot, even if reading takes long and other transactions write meanwhile.
     */
    Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("ApplicationName", "lottery-checker");
        properties.setProperty("connectTimeout", Integer.toString(CONNECT_MAX_SECONDS));
        properties.setProperty("socketTimeout", Integer.toString(ANSWER_MAX_SECONDS));
        Connection connection = DriverManager.getConnection(url, properties);
        connection.setReadOnly(true);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);
        return connection;
    }

    /** Leaves the password out. */
    @Override
    public String toString() {
        return user + " at " + url.replaceFirst("\\?.*", "");
    }
}
