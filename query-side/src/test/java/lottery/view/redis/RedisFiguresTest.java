package lottery.view.redis;

import static lottery.stage.Script.award;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.stage.OnAir;
import lottery.stage.Script;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jpa.EntityManagerFactoryBuilder;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;

/** Measures reads, if it is run with {@code -Dfigures=true -Dtest=RedisFiguresTest}: see {@code bench}. */
@OnAir
@EnabledIfSystemProperty(named = "figures", matches = "true")
@DisplayName("The speed of quotas and wheels")
class RedisFiguresTest {

    /** An aggregate of the only log. */
    private static final ActivityId ANY = new ActivityId(1);

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int ACCOUNTS = 2_000;
    private static final int CONNECTIONS = 16;
    private static final int ROUNDS = 2;
    private static final Duration ROUND = Duration.ofSeconds(5);

    private final Script script;
    private final RedisFreshness freshness;
    private final JdbcClient sql;
    private final EntityManagerFactoryBuilder factories;
    private final DataSource database;
    private final int port;
    private final Map<String, List<ReadFigures>> figures = new TreeMap<>();

    @Autowired
    RedisFiguresTest(
            Script script,
            RedisFreshness freshness,
            JdbcClient sql,
            EntityManagerFactoryBuilder factories,
            DataSource database,
            @LocalServerPort int port) {
        this.factories = factories;
        this.database = database;
        this.script = script;
        this.freshness = freshness;
        this.sql = sql;
        this.port = port;
    }

    private record ReadFigures(double readsPerSecond, double p50Ms, double p99Ms, double postgresMsPerThousand) {

        static ReadFigures mean(List<ReadFigures> all) {
            return new ReadFigures(
                    all.stream()
                            .mapToDouble(ReadFigures::readsPerSecond)
                            .average()
                            .orElseThrow(),
                    all.stream().mapToDouble(ReadFigures::p50Ms).average().orElseThrow(),
                    all.stream().mapToDouble(ReadFigures::p99Ms).average().orElseThrow(),
                    all.stream()
                            .mapToDouble(ReadFigures::postgresMsPerThousand)
                            .average()
                            .orElseThrow());
        }
    }

    @Test
    @DisplayName("Reads with Redis and without it are measured in turns.")
    void inTurns() throws Exception {
        ActivityId activity = script.activity(award(101, 1, 3), award(102, 2, 0));
        for (int i = 0; i < ACCOUNTS; i++) {
            AccountId account = new AccountId(activity, new UserId("user-" + i));
            script.recharged(account, 9, 9, 9);
            script.spent(account, "2026-03-31");
        }
        await().atMost(SOON)
                .until(() -> sql.sql("SELECT count(*) FROM view_account WHERE activity_id = ? AND total_used = 1")
                                .param(activity.value())
                                .query(Integer.class)
                                .single()
                        == ACCOUNTS);
        String path = "/api/v1/activities/" + activity.value();
        for (int round = 0; round <= ROUNDS; round++) {
            for (boolean with : new boolean[] {true, false}) {
                turn(with);
                measure(round, "quotas " + (with ? "with" : "without"), path + "/accounts/user-");
                measure(round, "wheel  " + (with ? "with" : "without"), path + "/awards?userId=user-");
            }
        }
        turn(true);
        figures.forEach((name, all) -> print(name, ReadFigures.mean(all)));
    }

    @Test
    @DisplayName("The comparison of the tables with the entities at the start is measured.")
    void comparison() {
        Map<String, List<Double>> millis = new TreeMap<>();
        for (int round = 0; round <= 10; round++) {
            for (String ddl : List.of("none", "validate")) {
                double taken = startMillis(ddl);
                if (round > 0) {
                    millis.computeIfAbsent(ddl, _ -> new ArrayList<>()).add(taken);
                }
            }
        }
        millis.forEach((ddl, all) ->
                System.out.printf(Locale.ROOT, "ddl-auto: %s: %.0f ms (median of %d)%n", ddl, median(all), all.size()));
    }

    private double startMillis(String ddl) {
        long begun = System.nanoTime();
        LocalContainerEntityManagerFactoryBean factory = factories
                .dataSource(database)
                .packages("lottery.view")
                .properties(Map.of("hibernate.hbm2ddl.auto", ddl))
                .build();
        factory.afterPropertiesSet();
        double taken = (System.nanoTime() - begun) / 1e6;
        factory.destroy();
        return taken;
    }

    private static double median(List<Double> all) {
        return all.stream().sorted().skip(all.size() / 2).findFirst().orElseThrow();
    }

    /** Turns Redis on or off: without the processor Redis is not trusted, and PostgreSQL answers all queries. */
    private void turn(boolean with) {
        if (with) {
            script.start(RedisReadModelFactory.GROUP);
        } else {
            script.stop(RedisReadModelFactory.GROUP);
        }
        await().atMost(SOON).until(() -> freshness.isFresh(ANY) == with);
    }

    /** Measures one round; the first one warms up. */
    private void measure(int round, String name, String path) throws Exception {
        ReadFigures measured = load(path);
        if (round > 0) {
            figures.computeIfAbsent(name, _ -> new ArrayList<>()).add(measured);
        }
        print(round + " " + name, measured);
    }

    private ReadFigures load(String path) throws Exception {
        long cpuBefore = postgresNanos();
        long begun = System.nanoTime();
        List<Future<long[]>> connections = new ArrayList<>();
        try (HttpClient http = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                connections.add(threads.submit(() -> read(http, path, begun + ROUND.toNanos())));
            }
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        long cpu = postgresNanos() - cpuBefore;
        long[] all = new long[0];
        for (Future<long[]> connection : connections) {
            long[] more = connection.get(1, TimeUnit.SECONDS);
            int length = all.length;
            all = Arrays.copyOf(all, length + more.length);
            System.arraycopy(more, 0, all, length, more.length);
        }
        Arrays.sort(all);
        return new ReadFigures(
                all.length / seconds,
                all[all.length / 2] / 1e6,
                all[(int) (all.length * 0.99)] / 1e6,
                cpu / 1e6 / all.length * 1_000);
    }

    private long[] read(HttpClient http, String path, long until) throws IOException, InterruptedException {
        long[] nanos = new long[200_000];
        int reads = 0;
        while (System.nanoTime() < until && reads < nanos.length) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path
                            + ThreadLocalRandom.current().nextInt(ACCOUNTS)))
                    .build();
            long asked = System.nanoTime();
            assertThat(http.send(request, BodyHandlers.discarding()).statusCode())
                    .isEqualTo(200);
            nanos[reads] = System.nanoTime() - asked;
            reads++;
        }
        return Arrays.copyOf(nanos, reads);
    }

    /** Returns the CPU time of the server and all its processes, which {@code /proc} has on Linux. */
    private long postgresNanos() {
        long backend = sql.sql("SELECT pg_backend_pid()").query(Long.class).single();
        ProcessHandle server =
                ProcessHandle.of(backend).flatMap(ProcessHandle::parent).orElseThrow();
        return server.descendants()
                .map(ProcessHandle::info)
                .flatMap(info -> info.totalCpuDuration().stream())
                .mapToLong(Duration::toNanos)
                .sum();
    }

    private static void print(String name, ReadFigures measured) {
        System.out.printf(
                Locale.ROOT,
                "%-18s %,9.0f reads/s, p50 %.2f ms, p99 %.2f ms, PostgreSQL %.1f ms of a processor for 1,000 reads%n",
                name,
                measured.readsPerSecond(),
                measured.p50Ms(),
                measured.p99Ms(),
                measured.postgresMsPerThousand());
    }
}
