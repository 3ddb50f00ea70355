package lottery.store.commit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;

/** Pools of connections like the application's, with shorter limits for tests that take the database away. */
final class Pools {

    /** A limit that a slow machine does not exceed, and that tells an answer from a timeout of the driver. */
    static final Duration BELOW_DRIVERS_MAX = Duration.ofSeconds(15);

    private static final Duration DRIVERS_MAX = Duration.ofSeconds(20);

    private static final Duration CONNECTION_WAIT_MAX = Duration.ofSeconds(1);

    /** The limit where the database stays: on a busy machine a connection alone may take seconds. */
    private static final Duration PATIENT_WAIT_MAX = Duration.ofSeconds(30);

    private Pools() {}

    static HikariDataSource pool(String url, String user, int size) {
        return pool(url, user, size, CONNECTION_WAIT_MAX);
    }

    static HikariDataSource patientPool(String url, String user, int size) {
        return pool(url, user, size, PATIENT_WAIT_MAX);
    }

    private static HikariDataSource pool(String url, String user, int size, Duration connectionWaitMax) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(user);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(connectionWaitMax.toMillis());
        config.setInitializationFailTimeout(-1);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        config.addDataSourceProperty("connectTimeout", Long.toString(2 * connectionWaitMax.toSeconds()));
        config.addDataSourceProperty("socketTimeout", Long.toString(DRIVERS_MAX.toSeconds()));
        return new HikariDataSource(config);
    }
}
