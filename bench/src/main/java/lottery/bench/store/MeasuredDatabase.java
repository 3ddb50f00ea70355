package lottery.bench.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The PostgreSQL that everybody is measured on. Each contender has a schema of its own, and nothing else is touched.
 */
record MeasuredDatabase(String url, String user, String password) {

    private static final int CONNECT_MAX_MS = 30_000;
    private static final String SUPERUSER = "postgres";

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url(""), user, password);
    }

    /** Of a PostgreSQL that was started for this: the lottery's own role has no use for it. */
    void allowCheckpoints() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(""), SUPERUSER, "");
                Statement statement = connection.createStatement()) {
            statement.execute("GRANT pg_checkpoint TO " + user);
        }
    }

    /** A connection that sees one schema. */
    Connection connect(String schema) throws SQLException {
        return DriverManager.getConnection(url("&currentSchema=" + schema), user, password);
    }

    /** A pool whose connections see one schema. */
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

    /** Without the password. */
    @Override
    public String toString() {
        return user + " at " + url.replaceFirst("\\?.*", "");
    }
}
