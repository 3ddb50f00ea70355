package lottery.bench.store.variant;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The PostgreSQL server on which all contenders are measured. Each contender has a schema of its own, and nothing else
 * is changed.
 */
public record BenchmarkConnectionFactory(String url, String user, String password) {

    private static final int CONNECT_MAX_MS = 30_000;
    private static final String SUPERUSER = "postgres";

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url(""), user, password);
    }

    /**
     * Grants the role of the measurement the right to make checkpoints, in a PostgreSQL that was started for the
     * measurement. The lottery itself does not need this right.
     */
    public void allowCheckpoints() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(""), SUPERUSER, "");
                Statement statement = connection.createStatement()) {
            statement.execute("GRANT pg_checkpoint TO " + user);
        }
    }

    /** Opens a connection that sees one schema. */
    public Connection connect(String schema) throws SQLException {
        return DriverManager.getConnection(url("&currentSchema=" + schema), user, password);
    }

    /** Creates a pool whose connections see one schema. */
    HikariDataSource pool(String schema, int connections, String more) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url("&currentSchema=" + schema + more));
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(CONNECT_MAX_MS);
        return new HikariDataSource(config);
    }

    String url(String more) {
        return url + (url.contains("?") ? "&" : "?") + "connectTimeout=10&socketTimeout=120" + more;
    }

    /** Leaves the password out. */
    @Override
    public String toString() {
        return user + " at " + url.replaceFirst("\\?.*", "");
    }
}
