package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.app.KeyedDraws.DrawLoad;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Tests an update while users draw. First a process of an older version runs beside one of this version; it does not
 * know the event of a pause. Then a newer version starts, which allows no older one beside it. These two are patches of
 * the present jar; {@code .ci/nightly} also brings the jar of the last release.
 */
@Tag("turn-2")
@DisplayName("Two versions at once")
class TwoVersionsIT {

    private static final JarPatch OLDER = new JarPatch(
            "db",
            "lottery/store/NamedEventSerializer.java",
            "types.classOf(type.getName(), type.getRevision())",
            "types.classOf(type.getName(), type.getRevision()).filter(_ -> !type.getName().equals(\"activity.paused\"))");

    private static final JarPatch NEWER =
            new JarPatch("app", "lottery/app/Lottery.java", "new LogVersion(1, 1)", "new LogVersion(2, 2)");

    /** The status of a process that a newer version has excluded. */
    private static final int EXCLUDED = 70;

    private static final int DRAWS = 100;
    private static final Duration SOON = Duration.ofSeconds(60);

    private static final String RULES = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Points", "type": "CREDIT", "amount": {"min": "0.01", "max": "8.88"}, "rate": "1",
               "sort": 1, "grant": {"timing": "SCHEDULED", "at": "2020-01-01T00:00:00Z"}}]""";

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 100000, "month": 100000, "day": 100000}]""";

    private final KeyedDraws draws = new KeyedDraws();

    @AfterEach
    void allowThisVersionAgain() {
        StoredFacts.execute("UPDATE event_head SET least_version = 1");
    }

    @Test
    @DisplayName("The older one leaves new events to the newer one, and ends when it is excluded. No draw is lost")
    void updated() throws Exception {
        Map<String, String> environment = Servers.environmentOfTrial();
        TrialActivity drawn;
        try (LotteryProcess older = open(OLDER, "older", environment);
                LotteryProcess present = LotteryProcess.open(environment)) {
            drawn = TrialActivity.open(present, RULES, CHANCES);
            KeyedDraws.recharge(drawn);
            TrialActivity paused = TrialActivity.open(present, RULES, CHANCES);
            paused.recharge("ann");
            try (DrawLoad atOlder = draws.at(drawn.at(older));
                    DrawLoad atPresent = draws.at(drawn)) {
                atOlder.awaitDraws(DRAWS);
                pause(paused, older);
                atPresent.awaitDraws(DRAWS);
                awaitNothingStuck();
                assertThat(older.output()).contains("activity.paused, which only a newer version knows");
                older.wantEnd();
                present.wantEnd();
                try (LotteryProcess newer = open(NEWER, "newer", environment)) {
                    assertThat(older.awaitStatus(SOON)).as(older.output()).isEqualTo(EXCLUDED);
                    assertThat(present.awaitStatus(SOON)).as(present.output()).isEqualTo(EXCLUDED);
                    assertThat(present.output()).contains("A newer version of the lottery has started");
                    assertThat(LotteryProcess.failing(environment).output()).contains("Start the newer version");
                    requireNothingLost(drawn.at(newer));
                }
            }
        }
    }

    @Test
    @DisplayName("The jar of the last release, -Dreleased.jar=, runs beside this version. No draw is lost")
    @EnabledIfSystemProperty(named = "released.jar", matches = ".+")
    void released() throws Exception {
        Path jar = Path.of(System.getProperty("released.jar"));
        Map<String, String> environment = Servers.environmentOfTrial();
        try (LotteryProcess present = LotteryProcess.open(environment)) {
            TrialActivity drawn;
            try (LotteryProcess released = LotteryProcess.open(JarPatch.environmentOf(environment), jar)) {
                drawn = TrialActivity.open(released, RULES, CHANCES);
                KeyedDraws.recharge(drawn);
                try (DrawLoad atReleased = draws.at(drawn);
                        DrawLoad atPresent = draws.at(drawn.at(present))) {
                    atReleased.awaitDraws(DRAWS);
                    atPresent.awaitDraws(DRAWS);
                }
                awaitNothingStuck();
            }
            requireNothingLost(drawn.at(present));
        }
    }

    private static LotteryProcess open(JarPatch version, String name, Map<String, String> environment)
            throws IOException {
        Path jar = version.apply(name);
        return LotteryProcess.open(JarPatch.environmentOf(environment), jar);
    }

    /**
     * Pauses an activity. A few seconds later the older process draws no more in it, and tells callers to come again.
     */
    private static void pause(TrialActivity paused, LotteryProcess older) {
        Reply pause = paused.lottery().post(paused.path("/transitions"), "{\"action\": \"pause\"}");
        assertThat(pause.status()).as(pause.text()).isEqualTo(200);
        await("the pause is shown").atMost(SOON).until(() -> paused.state().equals("PAUSED"));
        assertThat(paused.draw("ann", "at-present").code()).isEqualTo("ACTIVITY_PAUSED");
        TrialActivity atOlder = paused.at(older);
        AtomicInteger attempts = new AtomicInteger();
        await("the older version does not draw")
                .atMost(SOON)
                .untilAsserted(() -> assertThat(atOlder.draw("ann", "at-older-" + attempts.incrementAndGet())
                                .status())
                        .isEqualTo(503));
        long drawn = StoredFacts.draws(paused);
        assertThat(atOlder.draw("ann", "again").status()).isEqualTo(503);
        assertThat(StoredFacts.draws(paused)).isEqualTo(drawn);
    }

    /** Waits until each processor is beyond the events that the older version does not know. */
    private static void awaitNothingStuck() {
        long head = StoredFacts.head();
        await("no processor is stuck")
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> StoredFacts.head() - StoredFacts.behind() >= head);
    }

    private void requireNothingLost(TrialActivity activity) throws Exception {
        draws.requireNothingWrong();
        assertThat(draws.answers()).isNotEmpty();
        assertThat(draws.answers()).containsAllEntriesOf(draws.repeated(activity));
        StoredFacts.awaitSound();
    }
}
