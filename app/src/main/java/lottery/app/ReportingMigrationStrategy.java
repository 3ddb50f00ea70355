package lottery.app;

import java.util.Locale;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.output.MigrateResult;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;

/** Migrates the tables and prints how long it took. */
@ConditionalOnProperty("lottery.progress")
class ReportingMigrationStrategy implements FlywayMigrationStrategy {

    @Override
    public void migrate(Flyway flyway) {
        long beganNanos = System.nanoTime();
        MigrateResult result = flyway.migrate();
        System.out.printf(
                Locale.ROOT,
                "  %-11s %5.1f s, %d migrations%n",
                "Tables",
                (System.nanoTime() - beganNanos) / 1e9,
                result.migrationsExecuted);
    }
}
