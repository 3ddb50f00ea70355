package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import lottery.app.KeyedDraws.DrawLoad;
import lottery.bench.CheckedDatabase;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Tests a PostgreSQL server whose disk gets full while users draw. */
@EnabledIf(value = "lottery.app.RestorablePostgres#canMount", disabledReason = "only root can mount a disk")
@Tag("turn-1")
@DisplayName("A full disk under PostgreSQL")
class FullDiskIT {

    private static final Path DATA = LotteryProcess.FOLDER.resolve("servers-full-disk");

    private static final int DISK_MEGABYTES = 256;
    private static final int DRAWS = 100;
    private static final int REFUSALS = 50;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration AT_REST_MAX = Duration.ofMinutes(2);

    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Points", "type": "CREDIT", "amount": {"min": "0.01", "max": "8.88"}, "rate": "0.5",
               "sort": 1},
              {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.5", "sort": 2, "stock": 150}]""";

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 100000, "month": 100000, "day": 100000}]""";

    private final KeyedDraws draws = new KeyedDraws();

    @Test
    @DisplayName("Callers are told to come again, and when it is freed, all goes on with nothing lost")
    void full() throws Exception {
        EmbeddedServers servers = EmbeddedServers.start(EmbeddedSettings.forTests(DATA));
        String url = Objects.requireNonNull(servers.properties().get("lottery.postgres.url"));
        RestorablePostgres postgres = new RestorablePostgres(DATA.resolve("postgres"), url);
        try {
            postgres.moveToDisk(DISK_MEGABYTES);
            Map<String, String> environment = Servers.environmentOf(servers);
            try (LotteryProcess lottery = LotteryProcess.open(environment)) {
                TrialActivity activity = TrialActivity.open(lottery, RULES, CHANCES);
                KeyedDraws.recharge(activity);
                try (DrawLoad load = draws.at(activity)) {
                    load.awaitDraws(DRAWS);
                    postgres.fillDisk();
                    int before = draws.unanswered();
                    await("callers that are told to come again")
                            .atMost(SOON)
                            .until(() -> draws.unanswered() > before + REFUSALS);
                    postgres.freeDisk();
                    load.awaitDraws(DRAWS);
                }
                draws.requireNothingWrong();
                assertThat(draws.answers()).containsAllEntriesOf(draws.repeated(activity));
                StoredFacts.awaitSound(new CheckedDatabase(url, "lottery_app", "lottery_app"), AT_REST_MAX);
            }
        } finally {
            try (servers) {
                postgres.removeDisk();
            }
        }
    }
}
