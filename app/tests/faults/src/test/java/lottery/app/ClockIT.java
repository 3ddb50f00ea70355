package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Tests a process whose machine's clock differs from the one of PostgreSQL. For its sessions alone, a function says
 * that PostgreSQL's time is 50 minutes earlier, so that the machine is that much ahead.
 */
@Tag("turn-3")
@DisplayName("A process whose machine has a wrong clock")
class ClockIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration AHEAD = Duration.ofMinutes(50);

    /** By the machine's clock this has begun, by PostgreSQL's it has not. */
    private static final Duration LATER = Duration.ofMinutes(20);

    private static final String COFFEE = """
            "mode": "SINGLE", "awards": [{"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private static final String ONE_DRAW = """
            "free": {"total": 1, "month": 1, "day": 1}""";

    private static final Pattern OFFSET = Pattern.compile("(?m)^lottery_clock_offset_seconds(?:\\{[^}]*})? (\\S+)$");

    private static final JdbcClient OWNER = JdbcClient.create(new DriverManagerDataSource(
            Servers.property("lottery.postgres.url"),
            Servers.property("lottery.postgres.owner"),
            Servers.property("lottery.postgres.owner-password")));

    private static void setAhead(Duration ahead) {
        OWNER.sql("""
                CREATE OR REPLACE FUNCTION another_time.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
                RETURN pg_catalog.clock_timestamp() - interval '%d minutes'""".formatted(ahead.toMinutes())).update();
    }

    @BeforeAll
    static void makeAnotherTime() {
        OWNER.sql("CREATE SCHEMA another_time").update();
        setAhead(AHEAD);
        OWNER.sql("GRANT USAGE ON SCHEMA another_time TO lottery_app").update();
    }

    @AfterAll
    static void dropIt() {
        OWNER.sql("DROP SCHEMA another_time CASCADE").update();
    }

    private static Map<String, String> ahead() throws IOException {
        Map<String, String> environment = Servers.environmentOfTrial();
        // The system's own functions come last, where they are named, and first where they are not.
        environment.computeIfPresent(
                "LOTTERY_POSTGRES_URL", (_, url) -> url + "?options=-c%20search_path=public,another_time,pg_catalog");
        return environment;
    }

    private static double offset(LotteryProcess lottery) {
        Matcher offset = OFFSET.matcher(lottery.get("/actuator/prometheus").text());
        assertThat(offset.find()).isTrue();
        return Double.parseDouble(offset.group(1));
    }

    private static Instant timeOfDatabase() {
        return Instant.now().minus(AHEAD);
    }

    @Test
    @DisplayName(
            "It is not ready, draws by the clock of PostgreSQL, and begins nothing because of time until the clocks agree")
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
            assertThat(lottery.output())
                    .containsOnlyOnce("The clock of this machine differs from the clock of PostgreSQL by ");
            assertThat(offset(lottery)).isBetween(AHEAD.toSeconds() - 2.0, AHEAD.toSeconds() + 2.0);

            TrialActivity later =
                    TrialActivity.announce(lottery, timeOfDatabase().plus(LATER));
            TrialActivity open = TrialActivity.open(lottery, COFFEE, ONE_DRAW);
            assertThat(open.draw("ann", "draw").status()).isEqualTo(201);
            assertThat(later.draw("ann", "draw").code()).isEqualTo("ACTIVITY_NOT_OPEN");
            assertThat(StoredFacts.newestEventAt()).isBefore(timeOfDatabase().plus(LATER));

            assertThat(lottery.output()).contains("Due sagas of kind activity wait");
            Instant beginsAt = timeOfDatabase().plusSeconds(2);
            TrialActivity soon = TrialActivity.announce(lottery, beginsAt);
            await().atMost(SOON).until(() -> timeOfDatabase().isAfter(beginsAt.plusSeconds(3)));
            assertThat(soon.state()).isEqualTo("PASSED");
            setAhead(Duration.ZERO);
            await().atMost(SOON).until(() -> soon.state().equals("DOING"));
            assertThat(lottery.get("/readyz").status()).isEqualTo(200);
        }
    }
}
