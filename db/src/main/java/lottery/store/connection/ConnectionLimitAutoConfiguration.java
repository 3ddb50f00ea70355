package lottery.store.connection;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.management.ManagementFactory;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.util.StringUtils;

/**
 * Gives every connection to PostgreSQL its limits and the name of this process. All connections come from the pool,
 * except those of migrations.
 */
@AutoConfiguration(after = DataSourceAutoConfiguration.class, before = FlywayAutoConfiguration.class)
public class ConnectionLimitAutoConfiguration {

    /** The name of this process in pg_stat_activity; the owner of a token begins with the same number and host. */
    private static final String PROCESS =
            "lottery " + ManagementFactory.getRuntimeMXBean().getName();

    private static final String OPTIONS = PGProperty.OPTIONS.getName();

    private static final String ISOLATION = "TRANSACTION_READ_COMMITTED";

    /** An argument of a URL with all that belongs to it. */
    private static final String OPTIONS_IN_URL = "(?<=[?&])" + OPTIONS + "=[^&]*&?";

    @Bean
    static BeanPostProcessor limitsOfConnections() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessBeforeInitialization(Object bean, String name) {
                if (bean instanceof HikariDataSource pool) {
                    limit(pool);
                }
                return bean;
            }
        };
    }

    /** Options in the URL come after these limits, and hold in their place. Left in the URL they would hold alone. */
    static void limit(HikariDataSource pool) {
        Properties url = Driver.parseURL(pool.getJdbcUrl(), null);
        if (url == null) {
            return;
        }
        String more = url.getProperty(OPTIONS);
        pool.setJdbcUrl(pool.getJdbcUrl().replaceFirst(OPTIONS_IN_URL, ""));
        pool.addDataSourceProperty(
                OPTIONS, more == null ? PostgresSessionOptions.WORK : PostgresSessionOptions.WORK + " " + more);
        pool.addDataSourceProperty(PGProperty.APPLICATION_NAME.getName(), PROCESS);
        // A pool that is not told asks its first connection for the usual isolation. If that connection breaks at this
        // moment, the pool takes the failure for the answer, and no later connection can be set up by it.
        if (pool.getTransactionIsolation() == null) {
            pool.setTransactionIsolation(ISOLATION);
        }
    }

    /**
     * Gives migrations connections of their own, on which neither PostgreSQL nor the driver ends what takes long. They
     * are connections of the owner of the tables, if {@code lottery.postgres.owner} names one.
     */
    @Bean
    FlywayConfigurationCustomizer connectionsOfMigrations(Environment environment) {
        return flyway -> {
            HikariDataSource pool = DataSourceUnwrapper.unwrap(flyway.getDataSource(), HikariDataSource.class);
            if (pool != null) {
                SimpleDriverDataSource migrations = ofMigrations(pool);
                String owner = environment.getProperty("lottery.postgres.owner");
                if (StringUtils.hasText(owner)) {
                    migrations.setUsername(owner);
                    migrations.setPassword(environment.getProperty("lottery.postgres.owner-password", ""));
                }
                flyway.dataSource(migrations);
            }
        };
    }

    private static SimpleDriverDataSource ofMigrations(HikariDataSource pool) {
        Properties properties = new Properties();
        properties.putAll(pool.getDataSourceProperties());
        properties.remove(PGProperty.SOCKET_TIMEOUT.getName());
        properties.merge(OPTIONS, PostgresSessionOptions.UNLIMITED_TIME, (work, time) -> "" + work + time);
        SimpleDriverDataSource migrations =
                new SimpleDriverDataSource(new Driver(), pool.getJdbcUrl(), pool.getUsername(), pool.getPassword());
        migrations.setConnectionProperties(properties);
        return migrations;
    }
}
