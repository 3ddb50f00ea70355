package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests more draws than the lottery can do, and then more than slow sagas can follow. {@code -Dtrial.overload=120}
 * makes the first of them two minutes, and so on.
 */
@Tag("turn-3")
@DisplayName("A lottery that is asked for more than it can do")
@Order(Integer.MAX_VALUE - 1)
class OverloadIT {

    private static final Duration TIME = Duration.ofSeconds(Long.getLong("trial.overload", 20));
    private static final int CALLERS = 200;

    /** The most events that a processor is behind if it keeps up; on a fast machine it is the events of a second. */
    private static final double BEHIND_MAX = 15_000;

    /**
     * The number of readings from which a limit follows. If a reading takes seconds, that many readings more come
     * between too many draws and their limit.
     */
    private static final int READINGS = 2;

    /** The time after which the lottery gives a reading up. */
    private static final double READING_SECONDS_MAX = 3;

    /** The most events that a processor is behind in a new process, which counts as fast until its speed is known. */
    private static final double BEHIND_COLD_MAX = 60_000;

    /** The number of events behind at which processors have caught up with what a new process let in. */
    private static final double BEHIND_WARM_MAX = 5_000;

    /** How long processors may take to catch up. It is no promise; it ends the test if they never do. */
    private static final Duration WARM_WAIT_MAX = Duration.ofMinutes(10);

    /**
     * The time that it takes to write a saga, as a multiple of the mean time between draws. Each saga is written about
     * twice, so sagas follow at two thirds of the speed of the draws.
     */
    private static final double SLOW = 0.75;

    /** How long the test waits for a limit. On a slow machine, sagas need a minute to fall behind far enough. */
    private static final Duration LIMIT_WAIT_MAX = Duration.ofMinutes(3);

    /** How long the test looks on after a limit was set, to see what follows from it. */
    private static final Duration LIMITED = Duration.ofSeconds(8);

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** The pause of a user who ignores the time to come back. */
    private static final Duration AGAIN_AFTER = Duration.ofMillis(20);

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 1000000, "month": 1000000, "day": 1000000}]""";

    /** Credits that have a time are booked by sagas, and not with their win. */
    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Point", "type": "CREDIT", "rate": "0.5", "sort": 1, "amount": {"min": "1", "max": "1"},
               "grant": {"timing": "SCHEDULED", "at": "2020-01-01T00:00:00Z"}},
              {"awardId": 2, "title": "Points", "type": "CREDIT", "rate": "0.5", "sort": 2, "amount": {"min": "1", "max": "1"},
               "grant": {"timing": "SCHEDULED", "at": "2020-01-01T00:00:00Z"}}]""";

    private final AtomicInteger attempts = new AtomicInteger();
    private final LongAdder draws = new LongAdder();
    private final LongAdder busy = new LongAdder();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private volatile boolean ends;

    /** The longest time that a reading of the metrics took in the warm process. */
    private double slowestReadingSeconds;

    @Test
    @DisplayName("The lottery lets in no more draws than its processors can follow")
    void overload() throws Exception {
        List<Double> behind = new ArrayList<>();
        List<Double> behindCold = new ArrayList<>();
        try (LotteryProcess lottery = LotteryProcess.open(Servers.environmentOfTrial());
                ExecutorService users = Executors.newVirtualThreadPerTaskExecutor()) {
            TrialActivity activity = TrialActivity.open(lottery, RULES, CHANCES);
            Patience patience = new Patience();
            for (int i = 0; i < CALLERS; i++) {
                String user = "user-" + i;
                assertThat(patience.ask(() -> activity.recharge(user, "first")).status())
                        .isEqualTo(201);
            }
            double eventsASecond;
            long begunNanos = System.nanoTime();
            for (int i = 0; i < CALLERS; i++) {
                String user = "user-" + i;
                users.execute(() -> drawUntilTheEnd(activity, user));
            }
            try {
                look(TIME.dividedBy(2), () -> noteBehind(lottery, behindCold), () -> false);
                awaitWarm(lottery, behindCold);
                slowestReadingSeconds = 0;
                long warmNanos = System.nanoTime();
                long drawsCold = draws.sum();
                long headCold = StoredFacts.head();
                look(TIME.dividedBy(2), () -> noteBehind(lottery, behind), () -> false);
                double seconds = (System.nanoTime() - warmNanos) / 1e9;
                double drawsASecond = (draws.sum() - drawsCold) / seconds;
                assertThat(drawsASecond).isPositive();
                eventsASecond = (StoredFacts.head() - headCold) / seconds;
                System.out.printf("overload: %.0f draws a second before sagas are slow%n", drawsASecond);
                try (SlowSagas _ = SlowSagas.begin(SLOW / drawsASecond)) {
                    await("a limit").pollInterval(LOOK).atMost(LIMIT_WAIT_MAX).until(() -> {
                        noteBehind(lottery, behind);
                        return values(lottery, "lottery_pace_limit").findAny().isPresent();
                    });
                    look(LIMITED, () -> noteBehind(lottery, behind), () -> false);
                }
            } finally {
                ends = true;
            }
            users.shutdown();
            assertThat(users.awaitTermination(SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            double seconds = (System.nanoTime() - begunNanos) / 1e9;
            System.out.printf(
                    "overload: %d draws and %d times busy in %.1f s; at most %,.0f events behind, %,.0f in the beginning; "
                            + "readings took up to %.1f s%n",
                    draws.sum(),
                    busy.sum(),
                    seconds,
                    Collections.max(behind),
                    Collections.max(behindCold),
                    slowestReadingSeconds);
            assertThat(wrong).isEmpty();
            assertThat(Collections.max(behindCold))
                    .as("events behind, in the beginning")
                    .isLessThan(BEHIND_COLD_MAX);
            double behindMax = Math.max(BEHIND_MAX, eventsASecond) + READINGS * slowestReadingSeconds * eventsASecond;
            assertThat(behind).allSatisfy(events -> assertThat(events).isLessThan(behindMax));
            StoredFacts.awaitSound();
        }
    }

    /** Looks once a second, or less often where a look takes longer, until the time is over or enough is seen. */
    private static void look(Duration time, Runnable look, BooleanSupplier isEnough) throws InterruptedException {
        long endNanos = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < endNanos && !isEnough.getAsBoolean()) {
            Thread.sleep(LOOK);
            look.run();
        }
    }

    /** Waits until the processors have caught up, however slow the machine is. */
    private void awaitWarm(LotteryProcess lottery, List<Double> behind) throws InterruptedException {
        look(
                WARM_WAIT_MAX,
                () -> noteBehind(lottery, behind),
                () -> latest(behind) <= BEHIND_WARM_MAX || latest(behind) >= BEHIND_COLD_MAX);
        assertThat(latest(behind)).as("catches up:%s", pace(lottery)).isLessThanOrEqualTo(BEHIND_WARM_MAX);
    }

    private static double latest(List<Double> behind) {
        return behind.isEmpty() ? Double.NaN : behind.getLast();
    }

    /** Notes how many events the slowest processor is behind, unless PostgreSQL is too busy to say it. */
    private void noteBehind(LotteryProcess lottery, List<Double> behind) {
        long begunNanos = System.nanoTime();
        values(lottery, "lottery_projection_lag_events{").max().ifPresent(events -> {
            behind.add(events);
            double seconds = Math.min(READING_SECONDS_MAX, (System.nanoTime() - begunNanos) / 1e9);
            slowestReadingSeconds = Math.max(slowestReadingSeconds, seconds);
        });
    }

    /** Tells the reader of a failure how far each processor is behind, and what the lottery does about it. */
    private static String pace(LotteryProcess lottery) {
        return lottery.get("/actuator/prometheus")
                .text()
                .lines()
                .filter(line -> line.startsWith("lottery_pace") || line.startsWith("lottery_projection_lag_"))
                .collect(Collectors.joining("\n", "\n", "\n"));
    }

    private void drawUntilTheEnd(TrialActivity activity, String user) {
        while (!ends) {
            try {
                Reply reply = activity.draw(user, "draw-" + attempts.incrementAndGet());
                if (reply.status() == 201) {
                    draws.increment();
                } else if (reply.status() == 503 && reply.text().contains("\"BUSY\"")) {
                    busy.increment();
                    LockSupport.parkNanos(AGAIN_AFTER.toNanos());
                } else {
                    wrong.add(reply.text());
                }
            } catch (RuntimeException e) {
                wrong.add(e.toString());
            }
        }
    }

    private static DoubleStream values(LotteryProcess lottery, String name) {
        return lottery.get("/actuator/prometheus")
                .text()
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(
                        line.substring(line.lastIndexOf(' ') + 1).replace("+Inf", "Infinity")))
                .filter(Double::isFinite);
    }
}
