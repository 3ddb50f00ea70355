package lottery.bench.load;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import lottery.bench.load.HttpConnection.HttpReply;
import lottery.bench.load.LoadResult.Percentiles;
import lottery.bench.load.LoadResult.Second;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/** Puts a lottery under load with the requests of many users, and writes a report. */
public final class LoadRunner {

    private static final int SOUND = 0;
    private static final int UNSOUND = 1;
    private static final int NOT_ASKED = 2;

    private static final String NEVER_ASKED = "due and never asked";

    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);
    private static final Duration REST_MAX = Duration.ofMinutes(3);
    private static final Duration REST_LOOK = Duration.ofMillis(100);

    /**
     * The time without growth of the log after which all sagas count as ended. A saga may wait for a message on Kafka
     * although no processor is behind.
     */
    private static final Duration SILENCE = Duration.ofSeconds(3);

    private static final Duration GROWTH_PAUSE = Duration.ofSeconds(5);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration END_MAX = Duration.ofSeconds(70);

    /**
     * The longest pause of a caller after an answer 503 or without an answer, so that it does not send requests in a
     * tight loop.
     */
    private static final Duration BUSY_PAUSE_MAX = Duration.ofMillis(50);

    private final LoadOptions options;
    private final LoadActivity activity;
    private final AnswerTally tally = new AnswerTally();
    private final AtomicLong numbers;
    private final AtomicLong notDone = new AtomicLong();
    private final List<Second> seconds = new ArrayList<>();

    private volatile ServerMetrics serverMetrics = ServerMetrics.UNKNOWN;
    private volatile boolean ends;

    LoadRunner(LoadOptions options, LoadActivity activity) {
        this(options, activity, new AtomicLong());
    }

    /**
     * Creates a runner that continues the numbers of earlier runs.
     *
     * @param numbers counts the requests; each number is used for one request
     */
    LoadRunner(LoadOptions options, LoadActivity activity, AtomicLong numbers) {
        this.options = options;
        this.activity = activity;
        this.numbers = numbers;
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(run(arguments));
    }

    private static int run(String[] arguments) throws InterruptedException {
        LoadOptions options;
        try {
            options = LoadOptions.of(arguments);
        } catch (IllegalArgumentException misunderstood) {
            System.out.println(misunderstood.getMessage() + "\n" + LoadOptions.USAGE);
            return NOT_ASKED;
        }
        logWarningsOnly();
        try {
            System.out.printf("Opening an activity for %,d users at %s%n", options.users(), options.url());
            LoadActivity activity = LoadActivity.open(options);
            try (var _ = options.scenario().needsDownstream() ? SimulatedFulfilmentSystem.at(options.kafka()) : null) {
                return measure(options, activity);
            }
        } catch (IOException e) {
            System.out.println("The lottery could not be measured: " + e.getMessage());
            return NOT_ASKED;
        }
    }

    /**
     * Limits logging to warnings, because the clients of Kafka and PostgreSQL would otherwise log between the figures.
     */
    private static void logWarningsOnly() {
        LoggingSystem logging = LoggingSystem.get(LoadRunner.class.getClassLoader());
        logging.beforeInitialize();
        logging.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.WARN);
    }

    private static int measure(LoadOptions options, LoadActivity activity) throws IOException, InterruptedException {
        if (options.burst() > 0) {
            QueueBurst.BurstResult result = new QueueBurst(options, activity).measure();
            QueueBurst.write(options.out(), result);
            boolean isSound = options.then().stream()
                    .allMatch(each -> each.of(options, activity).failedBecause() == null);
            return isSound && result.isSound() ? SOUND : UNSOUND;
        }
        if (options.turns() > 0) {
            SideBySideComparison.ComparisonResult comparison = new SideBySideComparison(options, activity).measure();
            SideBySideComparison.write(options.out(), comparison);
            return comparison.isSound() ? SOUND : UNSOUND;
        }
        LoadResult result = new LoadRunner(options, activity).measure();
        LoadReportWriter.write(options.out(), result);
        return result.isSound() ? SOUND : UNSOUND;
    }

    LoadResult measure() throws IOException, InterruptedException {
        System.out.printf(
                "Activity %d, %s on %d connections, %s%n",
                activity.id(),
                options.scenario().word(),
                options.connections(),
                options.rate() == 0 ? "each as fast as it is answered" : options.rate() + " requests a second");
        Thread.ofPlatform().name("server-metrics").daemon().start(this::look);
        grow();
        LoadRequestSchedule pace =
                options.rate() == 0 ? LoadRequestSchedule.asAnswered() : LoadRequestSchedule.at(options.rate());
        List<Thread> callers = callers(pace, options.scenario());
        watch((int) -options.warmUp().toSeconds(), 0);
        tally.begin();
        watch(0, (int) options.time().toSeconds());
        pace.end();
        double untilTheEnd = tally.donePerSecond();
        awaitAll(callers);
        ends = true;
        double untilTheLast = tally.donePerSecond();
        if (pace.left() > 0) {
            tally.count(NEVER_ASKED, pace.left());
        }
        // At a fixed rate, all due requests count, up to their last answer. Without a rate, the time for the last
        // answers does not count, because no new requests are sent in it.
        return result(options.rate() == 0 ? untilTheEnd : untilTheLast);
    }

    /** Waits for the callers. Requests that were due before the end are still sent and count. */
    private void awaitAll(List<Thread> callers) throws InterruptedException {
        long end = System.nanoTime() + END_MAX.toNanos();
        for (Thread caller : callers) {
            caller.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
        }
    }

    /** Draws until the log has the length that the options require before the measurement. */
    private void grow() throws IOException, InterruptedException {
        if (options.events() == 0) {
            return;
        }
        LoadRequestSchedule pace = LoadRequestSchedule.asAnswered();
        List<Thread> callers = callers(pace, LoadScenario.DRAWS);
        try {
            long head = awaitMoreThan(-1);
            while (head < options.events()) {
                LockSupport.parkNanos(GROWTH_PAUSE.toNanos());
                long before = head;
                head = awaitMoreThan(before);
                System.out.printf(
                        "The log has %,d of %,d events, %,d more than %d s ago%n",
                        head, options.events(), head - before, GROWTH_PAUSE.toSeconds());
            }
        } finally {
            pace.end();
            awaitAll(callers);
        }
        second(0);
    }

    /** Waits until the log is longer than this, and returns its length. */
    private long awaitMoreThan(long before) throws IOException {
        long begin = System.nanoTime();
        while (serverMetrics.head().orElse(-1) <= before) {
            if (System.nanoTime() - begin > ANSWER_MAX.toNanos()) {
                throw new IOException("the log does not grow, or its length is not known; answers: " + tally.answers());
            }
            LockSupport.parkNanos(REST_LOOK.toNanos());
        }
        return serverMetrics.head().orElse(-1);
    }

    private List<Thread> callers(LoadRequestSchedule pace, LoadScenario scenario) {
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < options.connections(); i++) {
            callers.add(Thread.ofPlatform().name("caller-" + i).daemon().start(() -> call(pace, scenario)));
        }
        return callers;
    }

    /** Reads the metrics on a separate thread, because a slow answer must not stop the measurement. */
    private void look() {
        while (!ends) {
            serverMetrics = ServerMetrics.of(options.management());
            LockSupport.parkNanos(SECOND.toNanos());
        }
    }

    private void call(LoadRequestSchedule pace, LoadScenario scenario) {
        @Nullable HttpConnection connection = null;
        for (OptionalLong due = pace.awaitNext(); due.isPresent(); due = pace.awaitNext()) {
            if (ends) {
                tally.count(NEVER_ASKED, 1);
                break;
            }
            try {
                if (connection == null) {
                    connection = HttpConnection.open(options.url(), ANSWER_MAX);
                }
                HttpReply reply = connection.ask(scenario.request(activity, numbers.getAndIncrement()));
                answered(reply, due.getAsLong());
            } catch (IOException | RuntimeException e) {
                tally.count("no answer: " + e.getMessage());
                notDone.incrementAndGet();
                close(connection);
                connection = null;
                pause();
            }
        }
        close(connection);
    }

    private void answered(HttpReply reply, long due) {
        if (reply.isDone()) {
            tally.done(reply.name(), System.nanoTime() - due);
            return;
        }
        tally.count(reply.name());
        notDone.incrementAndGet();
        if (reply.status() == 503) {
            pause();
        }
    }

    private static void pause() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(BUSY_PAUSE_MAX.toNanos()));
    }

    private static void close(@Nullable HttpConnection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (IOException e) {
            // The connection is not used any more.
        }
    }

    private void watch(int from, int to) {
        long begin = System.nanoTime();
        for (int second = from; second < to; second++) {
            long end = begin + (second - from + 1) * SECOND.toNanos();
            for (long wait = end - System.nanoTime(); wait > 0; wait = end - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            Second seen = second(second);
            seconds.add(seen);
            System.out.printf(
                    "%5d s  %,7d done  p50 %6.1f  p99 %7.1f  max %7.1f ms  lag %s  heap %,d MB%s%n",
                    second,
                    seen.done(),
                    seen.p50(),
                    seen.p99(),
                    seen.max(),
                    seen.lag() == null ? "unknown" : "%,d".formatted(seen.lag()),
                    seen.heapMb(),
                    seen.notDone() == 0 ? "" : "  not done " + seen.notDone());
        }
    }

    /** Returns the figures since the last call. On a busy machine this may be more than a second ago. */
    private Second second(int second) {
        Histogram micros = tally.since();
        double length = Math.max(1, micros.getEndTimeStamp() - micros.getStartTimeStamp()) / 1_000.0;
        Percentiles ms = Percentiles.of(micros);
        ServerMetrics now = serverMetrics;
        return new Second(
                second,
                Math.round(micros.getTotalCount() / length),
                ms.p50(),
                ms.p99(),
                ms.max(),
                notDone.getAndSet(0),
                orNull(now.lag()),
                now.heapMb());
    }

    private static @Nullable Long orNull(OptionalLong known) {
        return known.isPresent() ? known.getAsLong() : null;
    }

    private LoadResult result(double donePerSecond) {
        List<Second> measured =
                seconds.stream().filter(each -> each.second() >= 0).toList();
        int half = measured.size() / 2;
        ServerMetrics atEnd = ServerMetrics.of(options.management());
        return new LoadResult(
                conditions(),
                tally.all().getTotalCount(),
                donePerSecond,
                List.of(perSecond(measured.subList(0, half)), perSecond(measured.subList(half, measured.size()))),
                Percentiles.of(tally.all()),
                tally.answers(),
                orNull(atEnd.lag()),
                rest(),
                seconds.stream().mapToLong(Second::heapMb).max().orElse(0),
                options.then().stream().map(each -> each.of(options, activity)).toList(),
                List.copyOf(seconds));
    }

    private static double perSecond(List<Second> part) {
        return part.stream().mapToLong(Second::done).average().orElse(0);
    }

    /** Returns the time until the read models and sagas were done and the log grew no more; null if it is unknown. */
    private @Nullable Long rest() {
        long begin = System.nanoTime();
        long since = begin;
        OptionalLong head = OptionalLong.empty();
        while (System.nanoTime() - begin < REST_MAX.toNanos()) {
            ServerMetrics now = ServerMetrics.of(options.management());
            if (!now.hasSeenAll() || now.head().isEmpty() || !now.head().equals(head)) {
                since = System.nanoTime();
                head = now.head();
            } else if (System.nanoTime() - since > SILENCE.toNanos()) {
                return Duration.ofNanos(since - begin).toMillis();
            }
            LockSupport.parkNanos(REST_LOOK.toNanos());
        }
        return null;
    }

    private Map<String, String> conditions() {
        Map<String, String> conditions = new LinkedHashMap<>();
        conditions.put("when", Instant.now().toString());
        conditions.put("lottery", options.url().toString());
        conditions.put("scenario", options.scenario().word());
        conditions.put("connections", Integer.toString(options.connections()));
        conditions.put("rate", options.rate() == 0 ? "as fast as it answers" : options.rate() + "/s");
        conditions.put("warm-up", options.warmUp().toSeconds() + " s");
        conditions.put("measured", options.time().toSeconds() + " s");
        conditions.put("log before", options.events() == 0 ? "as it was" : "%,d events".formatted(options.events()));
        conditions.put("users", Integer.toString(options.users()));
        conditions.put("cores here", Integer.toString(Runtime.getRuntime().availableProcessors()));
        return conditions;
    }
}
