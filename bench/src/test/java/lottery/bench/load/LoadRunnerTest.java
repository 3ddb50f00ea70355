package lottery.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import lottery.bench.load.LoadResult.Percentiles;
import lottery.bench.load.LoadResult.Second;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The load runner")
class LoadRunnerTest {

    /** Longer than the measurement. */
    private static final Duration STRAGGLE = Duration.ofSeconds(3);

    @Test
    @DisplayName("An option that is not given has its usual value")
    void usual() {
        assertThat(LoadOptions.of(new String[] {"--scenario=hot-user", "--rate=500", "--url=http://10.0.0.1:81/"}))
                .isEqualTo(new LoadOptions(
                        URI.create("http://10.0.0.1:81"),
                        URI.create("http://10.0.0.1:8081"),
                        "",
                        LoadScenario.HOT_USER,
                        64,
                        500,
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(60),
                        20_000,
                        10_000,
                        0,
                        0,
                        0,
                        List.of(),
                        Path.of("bench/target/load")));
    }

    @Test
    @DisplayName("A burst counts what was drawn and what was refused")
    void ended() {
        String metrics = """
                # TYPE lottery_queue_ended_total counter
                lottery_queue_ended_total{as="refused"} 2.0
                lottery_queue_ended_total{as="used"} 1.2E5
                """;
        assertThat(QueueBurst.endedIn(metrics)).hasValue(120_002);
        assertThat(QueueBurst.endedIn("")).isEmpty();
    }

    @Test
    @DisplayName("The lottery is warm when three windows in a row are within five percent")
    void warm() {
        assertThat(SideBySideComparison.agree(List.of(1_000.0, 1_000.0))).isFalse();
        assertThat(SideBySideComparison.agree(List.of(600.0, 1_000.0, 951.0, 990.0)))
                .isTrue();
        assertThat(SideBySideComparison.agree(List.of(1_000.0, 1_000.0, 949.0))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--connections=0",
                "--seconds=soon",
                "--speed=9",
                "draws",
                "--scenario=dance",
                "--scenario=usual",
                "--url=ftp://localhost",
                "--users=99999999999",
                "--turns=3",
                "--then=dance"
            })
    @DisplayName("An option that is not understood is refused")
    void misunderstood(String argument) {
        assertThatThrownBy(() -> LoadOptions.of(new String[] {argument})).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("Requests at a fixed rate are due on time, however late a caller comes to send them")
    void open() {
        LoadRequestSchedule pace = LoadRequestSchedule.at(1_000);
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        long first = pace.awaitNext().orElseThrow();
        for (int i = 1; i < 40; i++) {
            assertThat(pace.awaitNext().orElseThrow()).isCloseTo(first + i * 1_000_000L, within(1L));
        }
    }

    @Test
    @DisplayName("No request is sent before it is due")
    void due() {
        LoadRequestSchedule pace = LoadRequestSchedule.at(50);
        long first = pace.awaitNext().orElseThrow();
        for (int i = 0; i < 3; i++) {
            assertThat(pace.awaitNext().orElseThrow()).isLessThanOrEqualTo(System.nanoTime());
        }
        assertThat(System.nanoTime() - first)
                .isGreaterThanOrEqualTo(Duration.ofMillis(60).toNanos());
    }

    @Test
    @DisplayName("A request that was due before the end is asked after it, or counted as never asked")
    void end() {
        LoadRequestSchedule pace = LoadRequestSchedule.at(100);
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        pace.end();
        long left = pace.left();
        assertThat(left).isGreaterThanOrEqualTo(10);
        assertThat(pace.awaitNext()).isPresent();
        assertThat(pace.left()).isEqualTo(left - 1);
        while (pace.awaitNext().isPresent()) {
            // Takes all that were due.
        }
        assertThat(pace.left()).isZero();
    }

    @Test
    @DisplayName("Without a rate, nothing is due after the end")
    void closed() {
        LoadRequestSchedule pace = LoadRequestSchedule.asAnswered();
        assertThat(pace.awaitNext()).isPresent();
        pace.end();
        assertThat(pace.awaitNext()).isEmpty();
        assertThat(pace.left()).isZero();
    }

    @Test
    @DisplayName("The metrics say how far behind the processors of a lottery are")
    void vitals() {
        ServerMetrics vitals = ServerMetrics.parse("""
                # TYPE lottery_projection_lag_events gauge
                lottery_projection_lag_events{application="lottery",processor="accounts"} 12.0
                lottery_projection_lag_events{application="lottery",processor="grants"} 1.2345E7
                lottery_projection_lag_events{application="lottery",processor="caches"} NaN
                lottery_log_events{application="lottery"} 2.0E7
                jvm_memory_used_bytes{area="heap",id="G1 Eden Space"} 1.048576E8
                jvm_memory_used_bytes{area="heap",id="G1 Old Gen"} 1048576.0
                jvm_memory_used_bytes{area="nonheap",id="Metaspace"} 5.0E8
                """);
        assertThat(vitals).isEqualTo(new ServerMetrics(OptionalLong.of(12_345_000), OptionalLong.of(20_000_000), 101));
        assertThat(vitals.hasSeenAll()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "lottery_projection_lag_events{processor=\"a\"} NaN", "jvm_threads_live_threads 9.0"})
    @DisplayName("A lottery that does not say how far behind it is has not seen all")
    void unknown(String metrics) {
        assertThat(ServerMetrics.parse(metrics).lag()).isEmpty();
        assertThat(ServerMetrics.parse(metrics).hasSeenAll()).isFalse();
    }

    /** Starts a lottery that works, except that it keeps one request for the wheel for seconds. */
    private static HttpServer straggling(Executor threads, AtomicInteger events) throws IOException {
        HttpServer lottery = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AtomicInteger wheels = new AtomicInteger();
        lottery.createContext("/", exchange -> {
            if (exchange.getRequestURI().getPath().endsWith("/draws")) {
                events.incrementAndGet();
            }
            if (exchange.getRequestURI().getPath().endsWith("/awards") && wheels.incrementAndGet() == 5) {
                straggle();
            }
            answer(
                    exchange,
                    exchange.getRequestURI().getPath().endsWith("/verifications")
                            ? "{\"complete\": true, \"draws\": 5, \"agreed\": 4, \"perSecond\": 3}"
                            : "{}");
        });
        lottery.createContext(
                "/actuator/prometheus",
                exchange -> answer(
                        exchange,
                        "lottery_projection_lag_events{processor=\"wins\"} 0.0\nlottery_log_events " + events + "\n"));
        lottery.createContext(
                "/api/v1/ops/projections/accounts/replay", exchange -> answer(exchange, "{\"head\": 7000}"));
        AtomicInteger looks = new AtomicInteger();
        lottery.createContext(
                "/api/v1/ops/projections",
                exchange -> answer(
                        exchange,
                        looks.incrementAndGet() < 3
                                ? "{\"items\": [{\"name\": \"accounts\", \"replay\": {\"percent\": 50}}]}"
                                : "{\"items\": [{\"name\": \"accounts\"}]}"));
        lottery.setExecutor(threads);
        lottery.start();
        return lottery;
    }

    private static void straggle() {
        long end = System.nanoTime() + STRAGGLE.toNanos();
        for (long left = STRAGGLE.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        try (exchange) {
            byte[] body = text.getBytes(UTF_8);
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static LoadResult measured(String... more) throws Exception {
        return measured(new AtomicInteger(7), more);
    }

    /**
     * Measures such a lottery.
     *
     * @param events the length of its log, which grows with each draw
     */
    private static LoadResult measured(AtomicInteger events, String... more) throws Exception {
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        HttpServer lottery = straggling(threads, events);
        try {
            String address = "http://localhost:" + lottery.getAddress().getPort();
            List<String> arguments = new ArrayList<>(List.of(
                    "--url=" + address,
                    "--management=" + address,
                    "--scenario=wheel",
                    "--connections=2",
                    "--warm-up=0",
                    "--seconds=1",
                    "--users=1"));
            arguments.addAll(List.of(more));
            LoadOptions options = LoadOptions.of(arguments.toArray(String[]::new));
            return new LoadRunner(options, LoadActivity.open(options)).measure();
        } finally {
            lottery.stop(0);
            threads.shutdownNow();
        }
    }

    @Test
    @Timeout(60)
    @DisplayName("Without a rate, an answer long after the end does not make the others fewer a second")
    void straggler() throws Exception {
        LoadResult result = measured();
        assertThat(result.ms().max()).isGreaterThanOrEqualTo((double) STRAGGLE.toMillis());
        assertThat(result.answers()).containsOnlyKeys("200");
        assertThat(result.donePerSecond()).isCloseTo(result.doneHalf().getLast(), withinPercentage(20));
    }

    @Test
    @Timeout(60)
    @DisplayName("At a fixed rate, the time until the last due request is answered counts")
    void drained() throws Exception {
        LoadResult result = measured("--rate=200");
        assertThat(result.answers()).containsOnlyKeys("200");
        assertThat(result.donePerSecond()).isLessThan(0.6 * result.doneHalf().getLast());
    }

    @Tag("trial")
    @Test
    @Timeout(60)
    @DisplayName("The log can be made longer before the measurement, and that does not count")
    void grown() throws Exception {
        AtomicInteger events = new AtomicInteger(7);
        LoadResult result = measured(events, "--events=100");
        assertThat(events).hasValueGreaterThanOrEqualTo(100);
        assertThat(result.answers()).containsExactly(entry("200", result.done()));
    }

    @Test
    @DisplayName("A check needs to know where the events are before anything begins")
    void unknownDatabase() {
        assumeThat(System.getenv()).doesNotContainKey("LOTTERY_POSTGRES_URL");
        assertThatThrownBy(() -> LoadOptions.of(new String[] {"--then=check"}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("LOTTERY_POSTGRES_URL");
    }

    @Test
    @Timeout(60)
    @DisplayName("Tasks after the load are timed, and a draw that does not agree is a fault")
    void afterwards() throws Exception {
        LoadResult result = measured("--then=replay,verify");
        assertThat(result.afterwards()).hasSize(2);
        assertThat(result.afterwards().getFirst().count()).isEqualTo(7_000);
        assertThat(result.afterwards().getFirst().perSecond()).isBetween(1L, 35_000L);
        assertThat(result.afterwards().getLast().failedBecause()).contains("of 5 draws 4");
        assertThat(result.isSound()).isFalse();
        assertThat(LoadReportWriter.text(result)).contains("Then 7,000 events replayed", "verify has failed");
    }

    private static LoadResult result(Map<String, Long> answers, boolean isAtRest) {
        return result(
                answers,
                isAtRest,
                List.of(new Second(-1, 10, 1, 2, 3, 0, null, 9), new Second(0, 100, 1, 2, 3, 0, 7L, 99)));
    }

    private static LoadResult result(Map<String, Long> answers, boolean isAtRest, List<Second> seconds) {
        return new LoadResult(
                Map.of("scenario", "<draws>"),
                100,
                50,
                List.of(40.0, 60.0),
                new Percentiles(1, 2, 3, 4, 5),
                answers,
                7L,
                isAtRest ? 12L : null,
                99,
                List.of(),
                seconds);
    }

    @Test
    @DisplayName("Refusals are no faults, and errors, missing answers and a lottery without rest are")
    void sound() {
        assertThat(result(Map.of("201", 9L, "409 QUOTA_DAY", 1L, "503 BUSY", 3L), true)
                        .isSound())
                .isTrue();
        assertThat(result(Map.of("201", 9L), false).isSound()).isFalse();
        assertThat(result(Map.of("201", 9L, "500 INTERNAL", 1L), true).isSound())
                .isFalse();
        assertThat(result(Map.of("201", 9L, "no answer: hung up", 1L), true).isSound())
                .isFalse();
        assertThat(result(Map.of("201", 9L, "422 KEY_REUSED", 1L), true).isSound())
                .isFalse();
    }

    @Test
    @DisplayName("The page says what was found, and nothing from outside becomes part of it")
    void page() {
        assertThat(LoadReportWriter.html(result(Map.of("201", 9L), true)))
                .contains("p99 3.0", "at rest after 12 ms", "&lt;draws&gt;", "<polyline")
                .doesNotContain("<draws>");
    }

    @Test
    @DisplayName("The page shows nothing for a second in which the lag was not known")
    void unknownOnThePage() {
        List<Second> seconds = List.of(
                new Second(0, 100, 1, 2, 3, 0, 7L, 99),
                new Second(1, 100, 1, 2, 3, 0, null, 99),
                new Second(2, 100, 1, 2, 3, 0, 14L, 99));
        assertThat(LoadReportWriter.html(result(Map.of("201", 9L), true, seconds)))
                .contains("<p>at most 14</p>", "points=\"0.0,90.0 900.0,0.0\"");
    }
}
