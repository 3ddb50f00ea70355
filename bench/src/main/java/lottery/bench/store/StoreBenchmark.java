package lottery.bench.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import lottery.bench.store.LatencyList.Percentiles;
import lottery.bench.store.LoadGenerator.LoadOutcome;
import lottery.bench.store.StoreBenchmarkResult.LotteryStoreFigures;
import lottery.bench.store.VisibilityProbe.PingVisibility;
import lottery.bench.store.variant.BenchmarkConnectionFactory;
import lottery.bench.store.variant.StoreVariantKind;
import lottery.embedded.EmbeddedServerKind;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures the throughput and the latency of the event store, and compares them with other stores on the same machine.
 */
public final class StoreBenchmark {

    private static final int CALLERS = 64;
    private static final List<Integer> CALLERS_FEWER = List.of(1, 16);
    private static final long CATCH_UP_EVENTS = 1_000_000;
    private static final long CATCH_UP_EVENTS_LOADED = 500_000;
    private static final Duration LOAD_MAX = Duration.ofSeconds(60);
    private static final Duration SYNCS = Duration.ofSeconds(2);

    private final StoreOptions options;
    private final StoreComparison contest;
    private final BenchmarkConnectionFactory target;

    private StoreBenchmark(StoreOptions options, StoreComparison contest, BenchmarkConnectionFactory target) {
        this.options = options;
        this.contest = contest;
        this.target = target;
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(run(arguments));
    }

    private static int run(String[] arguments) throws SQLException, IOException, InterruptedException {
        StoreOptions options;
        try {
            options = StoreOptions.of(arguments);
        } catch (IllegalArgumentException misunderstood) {
            System.out.println(misunderstood.getMessage() + "\n" + StoreOptions.USAGE);
            return 2;
        }
        System.setProperty("axoniq.update-checker.disabled", "true");
        LoggingSystem.get(StoreBenchmark.class.getClassLoader()).beforeInitialize();
        LoggingSystem.get(StoreBenchmark.class.getClassLoader())
                .setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.WARN);
        if (options.target().isPresent()) {
            return measure(options, options.target().get());
        }
        try (EmbeddedServers servers = EmbeddedServers.start(
                EmbeddedSettings.forTests(options.out().resolve("servers"), EmbeddedServerKind.POSTGRES))) {
            BenchmarkConnectionFactory target = target(servers.properties());
            target.allowCheckpoints();
            return measure(options, target);
        }
    }

    private static BenchmarkConnectionFactory target(Map<String, String> properties) {
        return new BenchmarkConnectionFactory(
                Objects.requireNonNull(properties.get("lottery.postgres.url")),
                Objects.requireNonNull(properties.get("lottery.postgres.owner")),
                Objects.requireNonNull(properties.get("lottery.postgres.owner-password")));
    }

    private static int measure(StoreOptions options, BenchmarkConnectionFactory target)
            throws SQLException, IOException, InterruptedException {
        System.out.println("Measuring on " + target);
        try (StoreComparison contest = StoreComparison.start(target, options.only())) {
            StoreBenchmarkResult result = new StoreBenchmark(options, contest, target).measure();
            write(options.out(), result);
            return result.isSound() ? 0 : 1;
        }
    }

    private StoreBenchmarkResult measure() throws SQLException, IOException, InterruptedException {
        contest.warmUp(options.only(), CALLERS, options.warmUp());
        List<StoreVariantSummary> atPeak = contest.compare(options.only(), CALLERS, options.rounds(), options.time());
        List<StoreVariantSummary> withFewer = withFewerCallers();
        LotteryStoreFigures ours = options.only().contains(StoreVariantKind.OURS) ? ours(peak(atPeak)) : null;
        Percentiles sync = DiskSyncBenchmark.sync(options.out(), SYNCS);
        return new StoreBenchmarkResult(
                conditions(), atPeak, withFewer, ours, sync, contest.verify(), contest.rounds());
    }

    private List<StoreVariantSummary> withFewerCallers() throws SQLException {
        Set<StoreVariantKind> entries = EnumSet.copyOf(options.only());
        entries.remove(StoreVariantKind.BATCH);
        List<StoreVariantSummary> found = new ArrayList<>();
        for (int callers : CALLERS_FEWER) {
            found.addAll(contest.compare(entries, callers, 1, options.time().dividedBy(2)));
        }
        return found;
    }

    private static double peak(List<StoreVariantSummary> summaries) {
        return summaries.stream()
                .filter(summary -> summary.entry() == StoreVariantKind.OURS)
                .mapToDouble(StoreVariantSummary::unitsPerSecond)
                .findAny()
                .orElseThrow();
    }

    private LotteryStoreFigures ours(double peak) throws IOException, InterruptedException {
        double half = peak / 2;
        LoadGenerator.open(half, options.warmUp(), () -> true, contest.ours()::storeNext);
        LoadOutcome atHalf = LoadGenerator.open(half, options.time(), () -> true, contest.ours()::storeNext);
        System.out.println("half     %,.0f units/s arrive: %s".formatted(half, atHalf.latency()));
        CatchUpSpeed idle = CatchUpSpeed.measure(contest.ours().events(), CATCH_UP_EVENTS);
        System.out.println("catch-up idle: " + idle);
        double quarter = peak / 4;
        CatchUpSpeed loaded =
                under(quarter, () -> CatchUpSpeed.measure(contest.ours().events(), CATCH_UP_EVENTS_LOADED));
        System.out.println("catch-up under load: " + loaded);
        try (VisibilityProbe visibility = new VisibilityProbe(contest.ours(), target)) {
            Duration time = options.time().dividedBy(2);
            under(quarter, () -> visibility.measure(time));
            List<PingVisibility> seenIdle = visibility.measure(time);
            System.out.println("seen idle: " + seenIdle);
            List<PingVisibility> seenLoaded = under(quarter, () -> visibility.measure(time));
            System.out.println("seen under load: " + seenLoaded);
            return new LotteryStoreFigures(half, atHalf, idle, loaded, seenIdle, seenLoaded);
        }
    }

    /** Runs a measurement while units of work arrive at a fixed rate, and returns its result. */
    private <T> T under(double perSecond, Supplier<T> measurement) throws InterruptedException {
        AtomicBoolean measuring = new AtomicBoolean(true);
        AtomicBoolean failed = new AtomicBoolean();
        CountDownLatch ended = new CountDownLatch(1);
        Thread.ofPlatform().daemon().name("load").start(() -> {
            try {
                LoadGenerator.open(perSecond, LOAD_MAX, measuring::get, contest.ours()::storeNext);
            } catch (RuntimeException e) {
                failed.set(true);
                System.out.println("load: " + e);
            } finally {
                ended.countDown();
            }
        });
        T measured = measurement.get();
        measuring.set(false);
        if (!ended.await(2, TimeUnit.MINUTES) || failed.get()) {
            throw new IllegalStateException("the load did not come to its end");
        }
        return measured;
    }

    private Map<String, String> conditions() throws SQLException {
        Map<String, String> conditions = new LinkedHashMap<>();
        conditions.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        conditions.put("memoryMaxMiB", Long.toString(Runtime.getRuntime().maxMemory() >> 20));
        conditions.put("java", String.valueOf(System.getProperty("java.vm.version")));
        conditions.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        conditions.put("callers", Integer.toString(CALLERS));
        conditions.put("secondsPerRound", Long.toString(options.time().toSeconds()));
        conditions.put("warmUpSeconds", Long.toString(options.warmUp().toSeconds()));
        conditions.put("postgres", String.join(", ", contest.settings()));
        return conditions;
    }

    private static void write(Path folder, StoreBenchmarkResult result) throws IOException {
        Files.createDirectories(folder);
        JsonMapper json =
                JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
        Files.writeString(folder.resolve("figures.json"), json.writeValueAsString(result));
        String tables = MarkdownReport.of(result);
        Files.writeString(folder.resolve("figures.md"), tables);
        System.out.println("\n" + tables + "\nWritten to " + folder.resolve("figures.md") + " and figures.json");
    }
}
