package lottery.store.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import lottery.store.TestStore;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("PostgreSQL")
@SpringBootTest(classes = TestStore.class)
@ResourceLock(TestStore.DATABASE)
class ConnectionLimitsTest {

    private final HikariDataSource pool;
    private final Flyway flyway;

    @Autowired
    ConnectionLimitsTest(HikariDataSource pool, Flyway flyway) {
        this.pool = pool;
        this.flyway = flyway;
    }

    @Test
    @DisplayName("ends what a client of the pool leaves open, and looks whether the client is there")
    void ofThePool() {
        assertThat(limits(pool))
                .containsEntry("idle_in_transaction_session_timeout", "12000")
                .containsEntry("lock_timeout", "10000")
                .containsEntry("statement_timeout", "25000")
                .containsEntry("transaction_timeout", "60000")
                .containsEntry("tcp_keepalives_idle", "5")
                .containsEntry("tcp_keepalives_interval", "3")
                .containsEntry("tcp_keepalives_count", "3")
                .containsEntry("tcp_user_timeout", "15000")
                .containsEntry("client_connection_check_interval", "5000")
                .containsEntry("synchronous_commit", "on");
    }

    @Test
    @DisplayName("says how transactions are isolated, so that no connection has to be asked")
    void isolation() {
        assertThat(pool.getTransactionIsolation()).isEqualTo("TRANSACTION_READ_COMMITTED");
    }

    @Test
    @DisplayName("shows which process is at the other end of a connection, as the owner of a token does")
    void name() {
        assertThat(JdbcClient.create(pool)
                        .sql("SELECT current_setting('application_name')")
                        .query(String.class)
                        .single())
                .isEqualTo("lottery " + ManagementFactory.getRuntimeMXBean().getName());
    }

    @Test
    @DisplayName("lets migrations take the time that they need, and looks whether their client is there")
    void ofMigrations() {
        assertThat(limits(flyway.getConfiguration().getDataSource()))
                .containsEntry("idle_in_transaction_session_timeout", "0")
                .containsEntry("lock_timeout", "0")
                .containsEntry("statement_timeout", "0")
                .containsEntry("transaction_timeout", "0")
                .containsEntry("tcp_keepalives_idle", "5")
                .containsEntry("tcp_user_timeout", "15000")
                .containsEntry("client_connection_check_interval", "5000");
    }

    @Test
    @DisplayName("takes options of the URL in place of single limits, and keeps the others")
    void optionsOfTheUrl() {
        try (HikariDataSource other = new HikariDataSource()) {
            other.setJdbcUrl(pool.getJdbcUrl()
                    + "?options=-c%20lock_timeout=7s%20-c%20client_connection_check_interval=0&connectTimeout=5");
            other.setUsername(pool.getUsername());
            other.setPassword(pool.getPassword());
            other.setMaximumPoolSize(1);
            PostgresSessionAutoConfiguration.limit(other);
            assertThat(limits(other))
                    .containsEntry("lock_timeout", "7000")
                    .containsEntry("client_connection_check_interval", "0")
                    .containsEntry("idle_in_transaction_session_timeout", "12000")
                    .containsEntry("tcp_user_timeout", "15000");
        }
    }

    private static Map<String, String> limits(DataSource connections) {
        Map<String, String> limits = new LinkedHashMap<>();
        JdbcClient.create(connections)
                .sql("SELECT name, reset_val FROM pg_settings WHERE source = 'client'")
                .query(row -> {
                    limits.put(row.getString("name"), row.getString("reset_val"));
                });
        return limits;
    }
}
