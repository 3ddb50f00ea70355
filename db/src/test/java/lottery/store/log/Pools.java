package lottery.store.log;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/**
 * Connections as the application has them, but for shorter limits; child processes, which start no server, use it too.
 */
final class Pools {

    private static final int CONNECTION_WAIT_MAX_MS = 1_000;

    private Pools() {}

    static HikariDataSource pool(String url, String user, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(user);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(CONNECTION_WAIT_MAX_MS);
        config.setInitializationFailTimeout(-1);
        config.addDataSourceProperty("connectTimeout", "2");
        config.addDataSourceProperty("socketTimeout", "20");
        return new HikariDataSource(config);
    }
}
