package lottery.store.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Admission control")
@Timeout(60)
@Isolated
class LogAdmissionControlTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration WAIT_MAX = Duration.ofMillis(500);
    private static final Duration AGAIN_AFTER = Duration.ofMillis(200);
    private static final Duration MEASURED = Duration.ofSeconds(5);
    private static final double BEHIND_MAX = 8_000;
    private static final long EVENTS_PER_UNIT = 10;

    /** The events of two hundred units. */
    private static final double EVENTS_PER_SECOND = 2_000;

    private final long sinceNanos = System.nanoTime();
    private final LogAdmissionControl admission = new LogAdmissionControl(this::reading, 0);

    /** Every unit writes its events, and a processor handles {@code EVENTS_PER_SECOND} of them. */
    private ProgressReading reading(long begun) {
        long now = System.nanoTime();
        long head = begun * EVENTS_PER_UNIT;
        return new ProgressReading(now, head, begun, Map.of("one", (long) handled(head, now)));
    }

    private double handled(long head, long nanos) {
        return Math.min((double) head, (nanos - sinceNanos) / 1e9 * EVENTS_PER_SECOND);
    }

    /** Returns how many events the processor is behind now. The latest reading may be old on a busy machine. */
    private double behind(int units) {
        long head = units * EVENTS_PER_UNIT;
        return head - handled(head, System.nanoTime());
    }

    @AfterEach
    void stop() {
        admission.stop();
    }

    @Test
    @DisplayName("keeps nobody waiting while all processors follow")
    void unlimited() {
        admission.start();

        for (int i = 0; i < 20; i++) {
            assertThat(admission.tryAdmit(Duration.ZERO)).isTrue();
            await().pollDelay(Duration.ofMillis(20)).until(() -> true);
        }
        assertThat(admission.limit()).isInfinite();
        assertThat(admission.refused()).isZero();
    }

    @Tag("trial")
    @ParameterizedTest(
            name = "admits as many units as a processor can follow, {0} at once, and refuses the others late")
    @ValueSource(ints = {1, 10})
    void limited(int unitsAtOnce) {
        admission.start();
        AtomicInteger in = new AtomicInteger();
        AtomicInteger told = new AtomicInteger();
        AtomicLong soonestNo = new AtomicLong(Long.MAX_VALUE);
        AtomicBoolean ends = new AtomicBoolean();
        try (ExecutorService users = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                for (int i = 0; i < 200 / unitsAtOnce; i++) {
                    users.execute(() -> askUntil(ends, unitsAtOnce, in, told, soonestNo));
                }
                await().atMost(SOON).until(() -> admission.limit() < 1_000);
                // Units that began before the first reading are caught up with first.
                await().atMost(SOON).until(() -> behind(in.get()) < BEHIND_MAX);
                int before = in.get();
                long sinceNanos = System.nanoTime();
                await().pollDelay(MEASURED).until(() -> true);
                double perSecond = (in.get() - before) * 1e9 / (System.nanoTime() - sinceNanos);
                assertThat(perSecond).isBetween(100.0, 300.0);
                assertThat(behind(in.get())).isLessThan(BEHIND_MAX);
            } finally {
                ends.set(true);
            }
        }
        assertThat(told.get()).isPositive();
        assertThat(admission.refused()).isEqualTo(told.get());
        assertThat(Duration.ofNanos(soonestNo.get())).isGreaterThan(WAIT_MAX.dividedBy(2));
    }

    @Test
    @DisplayName("delays the next unit by two seconds at most, however many units began together before it")
    void debt() {
        admission.start();
        await().atMost(SOON).pollInterval(Duration.ofMillis(1)).until(() -> {
            assertThat(admission.tryAdmit(SOON)).isTrue();
            admission.charge(9);
            return admission.limit() < 1_000;
        });

        admission.charge(100_000);

        assertThat(admission.tryAdmit(Duration.ofSeconds(2))).isTrue();
    }

    @Test
    @DisplayName("lets callers of a new process wait, and refuses none of them, while its code is not compiled yet")
    void cold() {
        LogAdmissionControl ofNewProcess = new LogAdmissionControl(this::reading, 1);
        try {
            ofNewProcess.start();
            await().atMost(SOON).pollInterval(Duration.ofMillis(1)).until(() -> {
                assertThat(ofNewProcess.tryAdmit(Duration.ZERO)).isTrue();
                ofNewProcess.charge(9);
                return ofNewProcess.limit() < 1_000;
            });

            ofNewProcess.charge(100_000);

            assertThat(ofNewProcess.tryAdmit(Duration.ZERO)).isTrue();
            assertThat(ofNewProcess.refused()).isZero();
        } finally {
            ofNewProcess.stop();
        }
    }

    private void askUntil(
            AtomicBoolean ends, int unitsAtOnce, AtomicInteger in, AtomicInteger told, AtomicLong soonestNo) {
        while (!ends.get()) {
            long askedNanos = System.nanoTime();
            if (admission.tryAdmit(WAIT_MAX)) {
                admission.charge(unitsAtOnce - 1);
                in.addAndGet(unitsAtOnce);
            } else {
                told.incrementAndGet();
                soonestNo.accumulateAndGet(System.nanoTime() - askedNanos, Math::min);
            }
            LockSupport.parkNanos(AGAIN_AFTER.toNanos());
        }
    }
}
