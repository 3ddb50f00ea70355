package lottery.store;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.flywaydb.core.api.Location;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.StringUtils;

/**
 * Lets one role own and migrate the tables, {@code lottery.postgres.owner}, and the role of the data source use them.
 * The rights of the second role are granted after each migration. Without an owner, one role does both.
 */
@AutoConfiguration(before = FlywayAutoConfiguration.class)
class DatabaseRolesAutoConfiguration {

    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);

    /** A migration may read and write large tables, or wait for the one of another process. */
    private static final Duration ANSWER_MAX = Duration.ofMinutes(30);

    @Bean
    FlywayConfigurationCustomizer databaseRoles(Environment environment) {
        return flyway -> {
            grantRights(flyway, environment.getProperty("spring.datasource.username", ""));
            String owner = environment.getProperty("lottery.postgres.owner");
            if (StringUtils.hasText(owner)) {
                flyway.dataSource(ofOwner(environment, owner));
            }
        };
    }

    private static void grantRights(FluentConfiguration flyway, String role) {
        flyway.locations(Stream.concat(
                        Arrays.stream(flyway.getLocations()).map(Location::toString), Stream.of("classpath:db/rights"))
                .toArray(String[]::new));
        Map<String, String> placeholders = new HashMap<>(flyway.getPlaceholders());
        placeholders.put("application_role", role);
        flyway.placeholders(placeholders);
    }

    private static PGSimpleDataSource ofOwner(Environment environment, String owner) {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(Objects.requireNonNull(environment.getProperty("spring.datasource.url")));
        database.setUser(owner);
        database.setPassword(environment.getProperty("lottery.postgres.owner-password", ""));
        database.setConnectTimeout((int) CONNECT_MAX.toSeconds());
        database.setSocketTimeout((int) ANSWER_MAX.toSeconds());
        database.setTcpKeepAlive(true);
        return database;
    }

    @Bean(initMethod = "warn")
    StoredEventsCheck storedEventsCheck(JdbcClient database) {
        return new StoredEventsCheck(database);
    }
}
