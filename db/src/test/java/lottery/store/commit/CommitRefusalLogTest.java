package lottery.store.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The log of refusals by PostgreSQL")
class CommitRefusalLogTest {

    private final SQLException full = new SQLException("No space left on device", "53100");
    private final SQLException noRight = new SQLException("permission denied", "42501");

    private final List<String> lines = new ArrayList<>();
    private long nanos = 1;

    private final CommitRefusalLog log = new CommitRefusalLog(
            new CommitterTimeSource() {
                @Override
                public long nanos() {
                    return nanos;
                }

                @Override
                public void pause(Duration duration) {
                    nanos += duration.toNanos();
                }
            },
            (units, cause) -> lines.add(units + " " + cause.getSQLState()));

    private void refuse(int times, SQLException cause) {
        for (int i = 0; i < times; i++) {
            log.refused(2, cause);
            nanos += Duration.ofMillis(10).toNanos();
        }
    }

    @Test
    @DisplayName("has a cause once in ten seconds, with all that were refused meanwhile.")
    void often() {
        refuse(500, full);
        assertThat(lines).containsExactly("2 53100");
        nanos += Duration.ofSeconds(5).toNanos();
        refuse(1, full);
        assertThat(lines).containsExactly("2 53100", "1000 53100");
    }

    @Test
    @DisplayName("has another cause at once, and neither more often when they alternate.")
    void otherCause() {
        for (int i = 0; i < 100; i++) {
            refuse(1, full);
            refuse(1, noRight);
        }
        assertThat(lines).containsExactly("2 53100", "2 42501");
    }
}
