package lottery.store.connection;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.management.ManagementFactory;
import java.util.Properties;
import javax.sql.DataSource;
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
 * Sets limits and the name of this process on every connection to PostgreSQL. Migrations have connections of their own,
 * and all other connections come from the pool.
 */
@AutoConfiguration(after = DataSourceAutoConfiguration.class, before = FlywayAutoConfiguration.class)
public class PostgresSessionAutoConfiguration {

    /**
     * The name of this process in pg_stat_activity. The name contains the process id and the host name. The owner in
     * the table of tokens begins with the same id and host name, so both can be compared.
     */
    private static final String PROCESS =
            "lottery " + ManagementFactory.getRuntimeMXBean().getName();

    /** The placeholder of migrations for the role that the application has. */
    public static final String APPLICATION_ROLE = "application_role";

    private static final String OPTIONS = PGProperty.OPTIONS.getName();

    private static final String ISOLATION = "TRANSACTION_READ_COMMITTED";

    /** Matches the argument {@code options} of a URL, with its value and the separator that follows. */
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

    /**
     * Sets the limits of the pool's connections in the driver's property {@code options}. Options in the URL are moved
     * to the end of this property, and override the limits. If options stayed in the URL, the driver would use only
     * these options, and ignore the property with the limits.
     */
    public static void limit(HikariDataSource pool) {
        Properties url = Driver.parseURL(pool.getJdbcUrl(), null);
        if (url == null) {
            return;
        }
        String more = url.getProperty(OPTIONS);
        pool.setJdbcUrl(pool.getJdbcUrl().replaceFirst(OPTIONS_IN_URL, ""));
        pool.addDataSourceProperty(
                OPTIONS, more == null ? PostgresSessionOptions.WORK : PostgresSessionOptions.WORK + " " + more);
        pool.addDataSourceProperty(PGProperty.APPLICATION_NAME.getName(), PROCESS);
        // A pool without a configured isolation level asks its first connection for the default one. If that connection
        // breaks at this moment, the pool treats the failure as the answer, and cannot set up any later connection.
        if (pool.getTransactionIsolation() == null) {
            pool.setTransactionIsolation(ISOLATION);
        }
    }

    /** Gives migrations their own connections. */
    @Bean
    FlywayConfigurationCustomizer connectionsOfMigrations(Environment environment) {
        return flyway -> {
            HikariDataSource pool = DataSourceUnwrapper.unwrap(flyway.getDataSource(), HikariDataSource.class);
            if (pool != null) {
                flyway.dataSource(ofMigrations(pool, environment));
            }
        };
    }

    /**
     * Returns connections for migrations, on which neither PostgreSQL nor the driver ends work that takes long. They
     * are connections of the owner of the tables, if {@code lottery.postgres.owner} names one.
     */
    public static DataSource ofMigrations(HikariDataSource pool, Environment environment) {
        SimpleDriverDataSource migrations = ofMigrations(pool);
        String owner = environment.getProperty("lottery.postgres.owner");
        if (StringUtils.hasText(owner)) {
            migrations.setUsername(owner);
            migrations.setPassword(environment.getProperty("lottery.postgres.owner-password", ""));
        }
        return migrations;
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
