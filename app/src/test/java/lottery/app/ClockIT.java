package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests a process whose machine has a wrong clock. The package {@code faketime} of Debian makes it wrong. */
@DisplayName("A process whose machine has a wrong clock")
class ClockIT {

    private static final Duration SOON = Duration.ofMinutes(3);

    /** More than the activity that begins later needs, and less than Kafka refuses. */
    private static final String AHEAD = "+50m";

    private static final Duration LATER = Duration.ofMinutes(20);

    private static final List<Path> LIBRARIES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"));

    private static Map<String, String> ahead() throws IOException {
        Path library = LIBRARIES.stream().filter(Files::exists).findFirst().orElse(Path.of(""));
        assumeTrue(Files.isRegularFile(library), "the package faketime is not installed");
        Map<String, String> environment = Servers.environmentOfTrial();
        environment.put("LD_PRELOAD", library.toString());
        environment.put("FAKETIME", AHEAD);
        environment.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        return environment;
    }

    @Test
    @DisplayName("It is not ready, and goes by the clock of PostgreSQL in everything that it does")
    void ahead50Minutes() throws Exception {
        try (LotteryProcess lottery = LotteryProcess.openUnready(ahead())) {
            Reply ready = lottery.get("/readyz");
            assertThat(ready.status()).as(ready.text()).isEqualTo(503);
            assertThat(ready.json()
                            .path("components")
                            .path("clock")
                            .path("status")
                            .asString())
                    .isEqualTo("OUT_OF_SERVICE");
            assertThat(lottery.output()).contains("The clock of this machine is PT");

            Fair later = Fair.announce(lottery, Instant.now().plus(LATER));
            Fair now = Fair.announce(lottery, Instant.now().plusSeconds(2));
            await().atMost(SOON).until(() -> now.state().equals("DOING"));
            assertThat(later.state()).isEqualTo("PASSED");
            assertThat(now.recharge("ann", "first").status()).isEqualTo(201);
            assertThat(now.draw("ann", "draw").status()).isEqualTo(201);
            assertThat(later.draw("ann", "draw").code()).isIn("ACTIVITY_NOT_OPEN", "ACTIVITY_DATES");
            assertThat(Stored.newestEventAt()).isBefore(Instant.now().plus(SOON));
        }
    }
}
