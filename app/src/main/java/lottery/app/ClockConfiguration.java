package lottery.app;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import lottery.store.clock.DatabaseClock;
import org.axonframework.eventhandling.GenericEventMessage;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Configures the clock of PostgreSQL for all parts of the application. A health check reports a process as not ready if
 * the clock of its machine is wrong.
 */
@Configuration(proxyBeanMethods = false)
class ClockConfiguration {

    /**
     * The only clock of the application. Rules get the time as an argument, and events get their timestamps from this
     * clock.
     */
    @Bean
    DatabaseClock clock(JdbcClient database) {
        DatabaseClock clock = DatabaseClock.start(() -> database.sql("SELECT clock_timestamp()")
                .query(OffsetDateTime.class)
                .single()
                .toInstant());
        GenericEventMessage.clock = clock.withZone(ZoneOffset.UTC);
        return clock;
    }

    @Bean
    HealthIndicator clockHealthIndicator(DatabaseClock clock) {
        return () -> clock.isMachineRight()
                ? Health.up().build()
                : Health.outOfService()
                        .withDetail("offset", clock.offset().toString())
                        .build();
    }

    @Bean
    MeterBinder clockMeters(DatabaseClock clock) {
        return registry -> Gauge.builder(
                        "lottery.clock.offset", clock, known -> known.offset().toNanos() / 1e9)
                .description("how far the clock of this machine is ahead of the one of PostgreSQL")
                .baseUnit("seconds")
                .register(registry);
    }
}
