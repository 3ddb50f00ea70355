package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Writes what {@link EachOperationIT} has left in the database into the file that {@code -Dfixture.database=} names. A
 * release does this once; {@code ReleasedDatabaseIT} reads it ever after.
 */
@DisplayName("The database of a release")
@Order(2)
@EnabledIfSystemProperty(named = "fixture.database", matches = ".+")
class DatabaseFixtureIT {

    @Test
    @DisplayName("It is written for later versions")
    void written() throws Exception {
        StoredFacts.awaitSound();
        SharedLottery.end();
        Path file = Path.of(System.getProperty("fixture.database"));
        Properties keys = new Properties();
        for (String kind : new String[] {"seeds", "codes", "persons"}) {
            keys.setProperty(kind, Servers.property("lottery.%s.keys.local".formatted(kind)));
        }
        DatabaseFixture.write(file, Servers.property("lottery.postgres.url"), keys);
        assertThat(file).isNotEmptyFile();
    }
}
