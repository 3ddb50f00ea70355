package lottery.store;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import lottery.store.connection.PostgresSessionAutoConfiguration;
import org.flywaydb.core.api.Location;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Grants the data source's role the rights that it needs on the tables. This happens after each migration, which the
 * owner of the tables carries out. If no owner is set, the data source's role also owns the tables, and a warning is
 * logged.
 */
@AutoConfiguration(before = FlywayAutoConfiguration.class)
class DatabaseRolesAutoConfiguration {

    @Bean
    FlywayConfigurationCustomizer rightsOfTheApplication(Environment environment) {
        return flyway -> grantRights(flyway, environment.getProperty("spring.datasource.username", ""));
    }

    private static void grantRights(FluentConfiguration flyway, String role) {
        flyway.locations(Stream.concat(
                        Arrays.stream(flyway.getLocations()).map(Location::toString), Stream.of("classpath:db/rights"))
                .toArray(String[]::new));
        Map<String, String> placeholders = new HashMap<>(flyway.getPlaceholders());
        placeholders.put(PostgresSessionAutoConfiguration.APPLICATION_ROLE, role);
        flyway.placeholders(placeholders);
    }

    @Bean(initMethod = "warn")
    EventTablePrivilegeStartCheck storedEventsCheck(JdbcClient database) {
        return new EventTablePrivilegeStartCheck(database);
    }
}
