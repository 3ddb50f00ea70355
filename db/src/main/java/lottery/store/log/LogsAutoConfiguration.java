package lottery.store.log;

import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import lottery.store.connection.PostgresSessionAutoConfiguration;
import org.flywaydb.core.Flyway;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationInitializer;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Configures the logs. {@code lottery.logs} is their number. Log 00, the home log, is in the schema of the data source.
 * Log 01 is in the schema {@code log_01} of the same database, or of the one that {@code lottery.log.01.url} names.
 */
@AutoConfiguration(after = {JdbcClientAutoConfiguration.class, FlywayAutoConfiguration.class})
public class LogsAutoConfiguration {

    private static final int LOGS_MAX = ShardRule.SHARDS;

    /** How many connections without work each log but the home log keeps. */
    private static final int IDLE_MIN = 2;

    @Bean
    static LogDataSourcePostProcessor connectionsToLogs(Environment settings) {
        return new LogDataSourcePostProcessor(settings);
    }

    /**
     * Lets the data source of the application give connections to all logs, if there is more than one. It comes before
     * other processors, which may wrap the data source.
     */
    record LogDataSourcePostProcessor(Environment settings) implements BeanPostProcessor, PriorityOrdered {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            int logs = numberOfLogs(settings);
            return logs > 1 && bean instanceof HikariDataSource home
                    ? new LogDataSource(pools(home, logs, settings))
                    : bean;
        }

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    private static int numberOfLogs(Environment settings) {
        int logs = settings.getProperty("lottery.logs", Integer.class, 1);
        if (logs < 1 || logs > LOGS_MAX) {
            throw new IllegalArgumentException(
                    "lottery.logs is a number from 1 to %d, and not %d".formatted(LOGS_MAX, logs));
        }
        return logs;
    }

    private static List<LogPool> pools(HikariDataSource home, int logs, Environment settings) {
        List<LogPool> pools = new ArrayList<>();
        for (int number = 0; number < logs; number++) {
            pools.add(new LogPool(number, number == 0 ? home : pool(home, number, settings)));
        }
        return pools;
    }

    private static HikariDataSource pool(HikariDataSource home, int log, Environment settings) {
        String prefix = "lottery.log." + Log.nameOf(log) + ".";
        String url = settings.getProperty(prefix + "url");
        HikariDataSource pool = LogPool.like(home, Log.urlOf(log, url == null ? home.getJdbcUrl() : url));
        pool.setPoolName("log-" + Log.nameOf(log));
        // Many logs share a server. Each one has a part of the users, and opens connections as it needs them.
        pool.setMinimumIdle(IDLE_MIN);
        pool.setUsername(settings.getProperty(prefix + "user", home.getUsername()));
        pool.setPassword(settings.getProperty(prefix + "password", home.getPassword()));
        if (url != null) {
            PostgresSessionAutoConfiguration.limit(pool);
        }
        return pool;
    }

    /** Creates the tables of all logs like those of the home log, before any log is used. */
    @Bean
    Logs logs(
            DataSource database,
            ObjectProvider<ShardRule> rule,
            ObjectProvider<FlywayMigrationInitializer> migrated,
            ObjectProvider<Flyway> flyway,
            Environment settings) {
        Logs logs = Logs.of(database, rule.getIfAvailable(() -> ShardRule.NONE));
        if (logs.all().size() != numberOfLogs(settings)) {
            throw new IllegalStateException("lottery.logs needs a pool of HikariCP as the data source");
        }
        boolean isMigrated = migrated.getIfAvailable() != null;
        LogPlaces.find(logs);
        if (isMigrated) {
            List<Integer> used =
                    ShardMap.stored(logs.home().sql()).map(ShardMap::logs).orElse(List.of());
            logs.all().stream()
                    .skip(1)
                    .forEach(log -> migrate(log, !used.contains(log.number()), flyway.getObject(), settings));
        }
        return logs.with(ShardMap.stored(logs.home().sql(), logs.all().size()));
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    LogPlaces logPlaces(Logs logs) {
        return new LogPlaces(logs);
    }

    @Bean(defaultCandidate = false)
    @HomeLog
    JdbcOperations homeLogDatabase(Logs logs) {
        return new JdbcTemplate(logs.home().pool());
    }

    @Bean
    MergedPages mergedPages(Logs logs) {
        return new MergedPages(logs);
    }

    /** @param isNew whether the log may not be there yet. The schema of another log is never made anew. */
    private static void migrate(Log log, boolean isNew, Flyway home, Environment settings) {
        HikariDataSource pool = (HikariDataSource) log.unguardedPool();
        Map<String, String> placeholders = new HashMap<>(home.getConfiguration().getPlaceholders());
        placeholders.replace(PostgresSessionAutoConfiguration.APPLICATION_ROLE, pool.getUsername());
        Flyway.configure(home.getConfiguration().getClassLoader())
                .configuration(home.getConfiguration())
                .placeholders(placeholders)
                .dataSource(PostgresSessionAutoConfiguration.ofMigrations(pool, settings))
                .createSchemas(isNew)
                .defaultSchema(Log.schemaOf(log.number()))
                .load()
                .migrate();
    }
}
