package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.app.KeyedDraws.DrawLoad;
import lottery.bench.CheckedDatabase;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import lottery.embedded.ReservedPort;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Tests a synchronous standby that receives nothing any more, while the primary may store more. Then the primary is
 * lost, and the standby takes over. One process draws, and another one reads on. Both are asked again for what was not
 * answered. All awards are handed over by an external system.
 */
@DisplayName("A synchronous standby that is cut off and then takes over")
class StandbyIT {

    private static final Path DATA = LotteryProcess.FOLDER.resolve("servers-standby");

    /** Draws while the standby follows, and draws after it has taken over. */
    private static final int DRAWS = 200;

    /** Shorter than in production, so that lost connections to PostgreSQL are noticed sooner. */
    private static final String IMPATIENT = "socketTimeout=8";

    /** Long enough to lose connections, and then to answer or hand on what the standby lacks. */
    private static final Duration ALONE = Duration.ofSeconds(25);

    private static final Duration SOON = Duration.ofSeconds(90);
    private static final Duration AT_REST_MAX = Duration.ofMinutes(2);

    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 100000, "month": 100000, "day": 100000}]""";

    private final KeyedDraws draws = new KeyedDraws();

    @Test
    @DisplayName("It has each draw that was answered and each award that was handed over")
    void takesOver() throws Exception {
        try (EmbeddedServers servers = EmbeddedServers.start(EmbeddedSettings.forTests(DATA));
                ReservedPort port = ReservedPort.any()) {
            String url = Objects.requireNonNull(servers.properties().get("lottery.postgres.url"));
            String urlOfStandby = url.replaceFirst(":\\d+/", ":" + port.number() + "/");
            Map<String, String> environment = Servers.environmentOf(servers);
            environment.put("LOTTERY_FULFILMENT_ENABLED", "false");
            environment.put(
                    "LOTTERY_POSTGRES_URL",
                    url.replaceFirst("(:\\d+)/", "$1,127.0.0.1:" + port.number() + "/") + "?targetServerType=primary&"
                            + IMPATIENT);
            List<LotteryProcess> nodes = Crowd.calls(2, 2, _ -> LotteryProcess.open(environment));
            try (ExternalFulfilment receiver = ExternalFulfilment.open(
                    Objects.requireNonNull(environment.get("LOTTERY_KAFKA_SERVERS")),
                    "receiver",
                    ExternalFulfilment.DECENT,
                    1)) {
                TrialActivity activity = TrialActivity.open(nodes.getFirst(), RULES, CHANCES);
                KeyedDraws.recharge(activity);
                RestorablePostgres primary = new RestorablePostgres(DATA.resolve("postgres"), url);
                try (DrawLoad load = draws.at(activity)) {
                    load.awaitDraws(DRAWS);
                    primary.backUp();
                }
                RestorablePostgres standby = primary.startStandby(port.number());
                try {
                    failOver(activity, nodes.getLast(), primary, standby);
                    requireServes(activity, urlOfStandby, receiver);
                } finally {
                    standby.stop();
                }
            } finally {
                nodes.forEach(LotteryProcess::kill);
            }
        }
    }

    /** Cuts the standby off under load, loses the primary, and lets the standby take over. */
    private void failOver(
            TrialActivity activity, LotteryProcess other, RestorablePostgres primary, RestorablePostgres standby)
            throws Exception {
        try (DrawLoad load = draws.at(activity);
                DrawLoad _ = draws.repeatedAt(activity);
                DrawLoad _ = draws.repeatedAt(activity.at(other))) {
            load.awaitDraws(DRAWS);
            standby.cutOff();
            AtomicInteger before = new AtomicInteger();
            await("no draw is answered any more")
                    .during(ALONE)
                    .atMost(SOON)
                    .until(() -> before.getAndSet(draws.drawn()) == draws.drawn());
            System.out.printf(
                    "standby: %d draws answered, the head of the primary is %d, that of the standby %d%n",
                    draws.drawn(), primary.head(), standby.head());
            primary.stop();
            standby.execute("SELECT pg_promote()");
            load.awaitDraws(DRAWS);
        }
    }

    private void requireServes(TrialActivity activity, String url, ExternalFulfilment receiver) throws Exception {
        assertThat(draws.answers()).as("answers before").containsAllEntriesOf(draws.repeated(activity));
        draws.requireNothingWrong();
        StoredFacts.awaitSound(new CheckedDatabase(url, "lottery_app", "lottery_app"), AT_REST_MAX);
        Set<String> won =
                new HashSet<>(JdbcClient.create(new DriverManagerDataSource(url, "lottery_app", "lottery_app"))
                        .sql("SELECT aggregate_id FROM event WHERE type = 'award.won'")
                        .query(String.class)
                        .list());
        assertThat(won)
                .as("awards that were handed over")
                .containsAll(receiver.handedOver().keySet());
        assertThat(receiver.failure()).isNull();
    }
}
