package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import lottery.app.LotteryProcess.Reply;
import lottery.bench.CheckReport;
import lottery.bench.CheckedDatabase;
import lottery.bench.InvariantChecker;
import lottery.bench.invariant.CheckMoment;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.web.client.ResourceAccessException;

/**
 * Tests a base backup that is put in the place of PostgreSQL's data, while two processes go on. One of them draws, and
 * the other one has nothing to do. Redis and Kafka keep what they had.
 */
@DisplayName("A log that goes back under running processes")
class RestoredLogIT {

    private static final Path DATA = LotteryProcess.FOLDER.resolve("servers-restored");

    private static final int USERS = 30;
    private static final int CALLERS = 8;
    private static final int CINEMAS = 150;
    private static final Duration CALLER_PAUSE = Duration.ofMillis(5);

    /** Draws before the backup, after it, and at last. */
    private static final int DRAWS = 200;

    private static final Duration SOON = Duration.ofSeconds(60);
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

    /** A request that is always answered in the same way. */
    private record KeyedRequest(String user, String key) {}

    private final AtomicInteger keys = new AtomicInteger();
    private final AtomicInteger drawn = new AtomicInteger();
    private final Map<KeyedRequest, String> answers = new ConcurrentHashMap<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    @Test
    @DisplayName("They end, and what starts again draws nothing twice and sells nothing twice")
    void restored() throws Exception {
        try (EmbeddedServers servers = EmbeddedServers.start(EmbeddedSettings.forTests(DATA))) {
            String url = Objects.requireNonNull(servers.properties().get("lottery.postgres.url"));
            JdbcClient database = JdbcClient.create(new DriverManagerDataSource(url, "lottery_app", "lottery_app"));
            RestorablePostgres postgres = new RestorablePostgres(DATA.resolve("postgres"), url);
            Map<String, String> environment = environment(servers);
            List<LotteryProcess> nodes = Crowd.calls(2, 2, _ -> LotteryProcess.open(environment));
            TrialActivity activity;
            try {
                activity = TrialActivity.open(nodes.getFirst(), RULES, CHANCES);
                for (int user = 0; user < USERS; user++) {
                    activity.recharge("user-" + user);
                }
                goBack(activity, postgres, database, nodes);
            } finally {
                nodes.forEach(LotteryProcess::kill);
            }
            try (LotteryProcess again = LotteryProcess.open(environment)) {
                requireServes(activity.at(again), database);
                awaitSound(url);
                assertThat(taken(activity, database)).as("units that are taken").isEqualTo(CINEMAS);
            }
        }
    }

    private static Map<String, String> environment(EmbeddedServers servers) throws IOException {
        Map<String, String> environment = new HashMap<>(Servers.environmentOfTrial());
        environment.keySet().removeIf(name -> name.startsWith("LOTTERY_") && !name.equals("LOTTERY_AUTH"));
        servers.properties()
                .forEach((name, value) ->
                        environment.put(name.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_"), value));
        return environment;
    }

    /** Loses the newest draws under load, and requires that the processes end by themselves. */
    private void goBack(
            TrialActivity activity, RestorablePostgres postgres, JdbcClient database, List<LotteryProcess> nodes)
            throws Exception {
        try (DrawLoad load = new DrawLoad(activity)) {
            load.awaitDraws(DRAWS);
            postgres.backUp();
            load.awaitDraws(DRAWS);
            long head = head(database);
            nodes.forEach(LotteryProcess::wantEnd);
            postgres.restore();
            for (LotteryProcess node : nodes) {
                assertThat(node.awaitStatus(NOTICED_MAX)).as(node.output()).isEqualTo(LOG_LOST);
                assertThat(node.output()).contains("The log has gone back");
            }
            System.out.printf("restored: %d draws, the head went from %d to %d%n", drawn.get(), head, head(database));
            assertThat(head(database)).as("the head after the restore").isLessThan(head);
        }
    }

    /** Requires that each request is answered, that each was drawn once, and that the rest of the stock is sold. */
    private void requireServes(TrialActivity activity, JdbcClient database) throws Exception {
        List<KeyedRequest> all = List.copyOf(answers.keySet());
        Patience patience = new Patience();
        Map<KeyedRequest, String> after = new ConcurrentHashMap<>();
        for (int time = 0; time < 2; time++) {
            Crowd.calls(all.size(), CALLERS, i -> {
                KeyedRequest request = all.get(i);
                Reply reply = patience.ask(() -> activity.draw(request.user(), request.key()));
                assertThat(reply.status()).as(reply.text()).isIn(200, 201);
                String earlier = after.putIfAbsent(request, reply.text());
                assertThat(earlier == null ? reply.text() : earlier).isEqualTo(reply.text());
                return i;
            });
        }
        try (DrawLoad load = new DrawLoad(activity)) {
            load.awaitDraws(DRAWS);
        }
        assertThat(wrong).isEmpty();
        List<String> changed = new ArrayList<>();
        answers.forEach((request, answer) -> {
            if (after.containsKey(request) && !after.get(request).equals(answer)) {
                changed.add(request.key());
            }
        });
        System.out.printf("restored: %d requests repeated, %d of them drawn anew%n", all.size(), changed.size());
        assertThat(draws(activity, database))
                .as("draws, each of a request of its own")
                .isLessThanOrEqualTo(keys.get());
        assertThat(taken(activity, database)).as("units that are taken").isLessThanOrEqualTo(CINEMAS);
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

    private static void awaitSound(String url) {
        CheckedDatabase checked = new CheckedDatabase(url, "lottery_app", "lottery_app");
        await().atMost(AT_REST_MAX).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            CheckReport report = InvariantChecker.check(checked, CheckMoment.AT_REST);
            assertThat(report.isSound()).as(report.table()).isTrue();
        });
    }

    /** Users who draw at one process, until it is gone or nobody wants more. */
    private final class DrawLoad implements AutoCloseable {

        private final TrialActivity activity;
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private volatile boolean ended;

        DrawLoad(TrialActivity activity) {
            this.activity = activity;
            for (int i = 0; i < CALLERS; i++) {
                threads.execute(this::draw);
            }
        }

        void awaitDraws(int more) {
            int wanted = drawn.get() + more;
            await("draws").atMost(SOON).until(() -> drawn.get() >= wanted);
        }

        private void draw() {
            while (!ended) {
                int number = keys.incrementAndGet();
                KeyedRequest request = new KeyedRequest("user-" + number % USERS, "draw-" + number);
                try {
                    Reply reply = activity.draw(request.user(), request.key());
                    if (reply.status() == 201) {
                        answers.put(request, reply.text());
                        drawn.incrementAndGet();
                    } else if (reply.status() != 503) {
                        wrong.add(reply.text());
                    }
                } catch (ResourceAccessException e) {
                    // No answer: the process has ended.
                } catch (RuntimeException | AssertionError e) {
                    wrong.add(e.toString());
                }
                LockSupport.parkNanos(CALLER_PAUSE.toNanos());
            }
        }

        @Override
        public void close() {
            ended = true;
            threads.shutdown();
            await("all callers are answered").atMost(SOON).until(threads::isTerminated);
        }
    }
}
