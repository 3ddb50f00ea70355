package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import lottery.app.KeyedDraws.DrawLoad;
import lottery.app.KeyedDraws.KeyedRequest;
import lottery.app.LotteryProcess.Reply;
import lottery.bench.CheckedDatabase;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Tests a base backup that is put in the place of PostgreSQL's data, while two processes go on. One of them draws, and
 * the other one has nothing to do. Redis and Kafka keep what they had.
 */
@Tag("turn-1")
@DisplayName("A log that goes back under running processes")
class RestoredLogIT {

    private static final Path DATA = LotteryProcess.FOLDER.resolve("servers-restored");

    private static final int CINEMAS = 150;

    /** Draws before the backup, after it, and at last. */
    private static final int DRAWS = 200;

    /** Queued draws before the backup, and as many after it. */
    private static final int QUEUED = 25;

    /** The number of other activities. They are hardly all in the same partition of the queue as the first one. */
    private static final int LATER = 3;

    private static final Duration NOTICED_MAX = Duration.ofSeconds(30);
    private static final Duration AT_REST_MAX = Duration.ofMinutes(2);

    /** The status of a process that has ended itself. */
    private static final int LOG_LOST = 70;

    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Points", "type": "CREDIT", "amount": {"min": "0.01", "max": "8.88"}, "rate": "0.5",
               "sort": 1},
              {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.5", "sort": 2, "stock": %d}]""".formatted(CINEMAS);

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 100000, "month": 100000, "day": 100000}]""";

    private final KeyedDraws draws = new KeyedDraws();
    private final List<String> queued = new ArrayList<>();

    @Test
    @DisplayName("They end, and what starts again draws nothing twice and sells nothing twice")
    void restored() throws Exception {
        try (EmbeddedServers servers = EmbeddedServers.start(EmbeddedSettings.forTests(DATA))) {
            String url = Objects.requireNonNull(servers.properties().get("lottery.postgres.url"));
            JdbcClient database = JdbcClient.create(new DriverManagerDataSource(url, "lottery_app", "lottery_app"));
            RestorablePostgres postgres = new RestorablePostgres(DATA.resolve("postgres"), url);
            Map<String, String> environment = Servers.environmentOf(servers);
            List<LotteryProcess> nodes = Crowd.calls(2, 2, _ -> LotteryProcess.open(environment));
            TrialActivity activity;
            try {
                activity = TrialActivity.open(nodes.getFirst(), RULES, CHANCES);
                KeyedDraws.recharge(activity);
                List<TrialActivity> later =
                        Crowd.calls(LATER, LATER, _ -> TrialActivity.open(nodes.getFirst(), RULES, CHANCES));
                later.forEach(each -> each.recharge("user-0"));
                goBack(activity, later, postgres, database, nodes);
            } finally {
                nodes.forEach(LotteryProcess::kill);
            }
            try (LotteryProcess again = LotteryProcess.open(environment)) {
                awaitQueuedDraws(again);
                requireServes(activity.at(again), database);
                requireShows(activity.at(again), head(database));
                StoredFacts.awaitSound(new CheckedDatabase(url, "lottery_app", "lottery_app"), AT_REST_MAX);
                assertThat(taken(activity, database)).as("units that are taken").isEqualTo(CINEMAS);
            }
        }
    }

    /**
     * Loses the newest draws under load, and requires that the processes end by themselves.
     *
     * @param later activities in which nobody has drawn when the backup is taken
     */
    private void goBack(
            TrialActivity activity,
            List<TrialActivity> later,
            RestorablePostgres postgres,
            JdbcClient database,
            List<LotteryProcess> nodes)
            throws Exception {
        try (DrawLoad load = draws.at(activity)) {
            load.awaitDraws(DRAWS);
            queueDraws(activity);
            awaitQueuedDraws(activity.lottery());
            postgres.backUp();
            KeyedDraws.users()
                    .forEach(user -> assertThat(chances(activity, user, 0)).isNotEmpty());
            load.awaitDraws(DRAWS);
            queueDraws(activity);
            later.forEach(this::queueDraws);
            awaitQueuedDraws(activity.lottery());
            long head = head(database);
            nodes.forEach(LotteryProcess::wantEnd);
            postgres.restore();
            for (LotteryProcess node : nodes) {
                assertThat(node.awaitStatus(NOTICED_MAX)).as(node.output()).isEqualTo(LOG_LOST);
                assertThat(node.output()).contains("The log has gone back");
            }
            System.out.printf("restored: %d draws, the head went from %d to %d%n", draws.drawn(), head, head(database));
            assertThat(head(database)).as("the head after the restore").isLessThan(head);
        }
    }

    /** Queues draws, which are drawn soon. */
    private void queueDraws(TrialActivity activity) {
        for (int i = 0; i < QUEUED; i++) {
            String key = "queued-" + queued.size();
            Reply accepted = new Patience().ask(() -> activity.queue("user-0", key));
            assertThat(accepted.status()).as(accepted.text()).isEqualTo(202);
            queued.add(accepted.json().path("orderId").asString());
        }
    }

    /** Requires that all queued draws are drawn, although nobody asks for them again. */
    private void awaitQueuedDraws(LotteryProcess lottery) {
        queued.forEach(order -> await("the draw of " + order)
                .atMost(AT_REST_MAX)
                .until(() -> lottery.get("/api/v1/raffle-orders/" + order)
                        .json()
                        .path("state")
                        .asString("")
                        .equals("USED")));
    }

    /** Requires that each request is answered, that each was drawn once, and that the rest of the stock is sold. */
    private void requireServes(TrialActivity activity, JdbcClient database) throws Exception {
        Map<KeyedRequest, String> before = Map.copyOf(draws.answers());
        Map<KeyedRequest, String> after = draws.repeated(activity);
        try (DrawLoad load = draws.at(activity)) {
            load.awaitDraws(DRAWS);
        }
        draws.requireNothingWrong();
        long changed = after.entrySet().stream()
                .filter(answer -> !answer.getValue().equals(before.get(answer.getKey())))
                .count();
        System.out.printf("restored: %d requests repeated, %d of them drawn anew%n", after.size(), changed);
        assertThat(draws(activity, database))
                .as("draws, each of a request of its own")
                .isLessThanOrEqualTo(draws.sent() + queued.size());
        assertThat(taken(activity, database)).as("units that are taken").isLessThanOrEqualTo(CINEMAS);
    }

    /** Requires that Redis, which had values of lost events, shows what PostgreSQL has. */
    private static void requireShows(TrialActivity activity, long head) {
        await("quotas in Redis")
                .atMost(NOTICED_MAX)
                .untilAsserted(() -> KeyedDraws.users()
                        .forEach(user ->
                                assertThat(chances(activity, user, 0)).isEqualTo(chances(activity, user, head))));
    }

    /** @param after a position, if the answer has to come from PostgreSQL */
    private static String chances(TrialActivity activity, String user, long after) {
        Reply reply = new Patience()
                .ask(() -> activity.lottery().get(activity.account(user) + (after > 0 ? "?after=" + after : "")));
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.text();
    }

    private static long head(JdbcClient database) {
        return database.sql("SELECT position FROM event_head").query(Long.class).single();
    }

    private static long draws(TrialActivity activity, JdbcClient database) {
        return database.sql("SELECT count(*) FROM event_readable"
                        + " WHERE type = 'raffle.drawn' AND (payload ->> 'activityId')::bigint = ?")
                .param(activity.id())
                .query(Long.class)
                .single();
    }

    private static long taken(TrialActivity activity, JdbcClient database) {
        return database.sql("SELECT coalesce(sum(taken), 0) FROM counter WHERE name = ?")
                .param("award:%d/2".formatted(activity.id()))
                .query(Long.class)
                .single();
    }
}
