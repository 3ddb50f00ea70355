package lottery.store;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.flywaydb.core.api.Location;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Grants the role of the data source what it needs, after each migration by another role, the owner of the tables.
 * Without an owner, one role does both, and the log warns.
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
        placeholders.put("application_role", role);
        flyway.placeholders(placeholders);
    }

    @Bean(initMethod = "warn")
    EventTablePrivilegeCheck storedEventsCheck(JdbcClient database) {
        return new EventTablePrivilegeCheck(database);
    }
}
