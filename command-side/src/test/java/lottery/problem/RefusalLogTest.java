package lottery.problem;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import lottery.api.Refusal;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The log of refused requests")
class RefusalLogTest {

    private static final String LINE = "A request was refused: QUOTA_DAY";

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-27T12:00:00Z"));
    private final List<String> lines = new ArrayList<>();
    private final RefusalLog log = new RefusalLog(now::get, lines::add);

    @Test
    @DisplayName("Ten refusals of a second have a line each, and the next second tells how many others there were.")
    void crowd() {
        refuse(25);
        assertThat(lines).isEqualTo(nCopies(10, LINE));

        lines.clear();
        now.updateAndGet(instant -> instant.plusSeconds(1));
        refuse(2);
        assertThat(lines)
                .containsExactly(
                        "15 more requests were refused and not logged, because there were too many", LINE, LINE);
    }

    @Test
    @DisplayName("Ten refusals in each second are all logged.")
    void few() {
        for (int second = 0; second < 3; second++) {
            refuse(10);
            now.updateAndGet(instant -> instant.plusSeconds(1));
        }
        assertThat(lines).isEqualTo(nCopies(30, LINE));
    }

    private void refuse(int times) {
        for (int i = 0; i < times; i++) {
            log.refused(Refusal.QUOTA_DAY);
        }
    }
}
