package lottery.store.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@DisplayName("A loop in the background")
@ExtendWith(OutputCaptureExtension.class)
@Timeout(60)
class BackgroundLoopTest {

    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String TROUBLE = "The tide tables could not be read: {}. Ships wait.";

    private final AtomicInteger runs = new AtomicInteger();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private BackgroundLoop loop = loop(SHORT, this::run);

    private static BackgroundLoop loop(Duration pause, BackgroundLoop.LoopTask task) {
        return new BackgroundLoop("tides", pause, task, TROUBLE);
    }

    /** Fails as often as there are failures, and then succeeds. */
    private void run() throws Exception {
        runs.incrementAndGet();
        switch (failures.poll()) {
            case null -> {}
            case Exception e -> throw e;
            case Error e -> throw e;
            case Throwable other -> throw new IllegalStateException(other);
        }
    }

    private void awaitRuns(int count) {
        await().atMost(SOON).until(() -> runs.get() >= count);
    }

    @AfterEach
    void stop() {
        loop.close();
    }

    @Test
    @DisplayName("runs its task at once, and again after each pause, until it is stopped")
    void repeats() {
        loop.start();
        awaitRuns(3);
        assertThat(loop.isRunning()).isTrue();
        loop.stop();
        int before = runs.get();
        assertThat(loop.isRunning()).isFalse();
        await().during(Duration.ofMillis(50)).until(() -> runs.get() == before);
    }

    @Test
    @DisplayName("goes on after any failure")
    void fails() {
        failures.add(new IllegalStateException("low water"));
        failures.add(new SQLException("no harbour"));
        failures.add(new InterruptedException());
        failures.add(new StackOverflowError());
        loop.start();
        awaitRuns(5);
    }

    @Test
    @DisplayName("logs each kind of failure once until the task succeeds, and outages without a stack trace")
    void logsOnce(CapturedOutput output) {
        failures.add(new SQLException("no harbour"));
        failures.add(new SQLException("no harbour"));
        failures.add(new IllegalStateException("low water"));
        failures.add(new SQLException("no harbour"));
        failures.add(new IllegalStateException("low water"));
        loop.start();
        awaitRuns(6);
        assertThat(lines(output, "SQLException: no harbour. Ships wait. It is tried again."))
                .isEqualTo(1);
        assertThat(lines(output, "IllegalStateException: low water. Ships wait. It is tried again."))
                .isEqualTo(1);
        assertThat(output)
                .contains("\tat " + BackgroundLoopTest.class.getName())
                .doesNotContain("\njava.sql.SQLException: no harbour");

        failures.add(new SQLException("no harbour"));
        await().atMost(SOON).until(() -> lines(output, "no harbour") == 2);
    }

    @Test
    @DisplayName("logs a failure again if a long run has said that it works again")
    void recovered(CapturedOutput output) {
        loop = loop(SHORT, () -> {
            if (runs.incrementAndGet() % 2 == 0) {
                loop.recovered();
            }
            throw new SQLException("no harbour");
        });
        loop.start();
        await().atMost(SOON).until(() -> lines(output, "no harbour") >= 3);
        loop.stop();
        assertThat(lines(output, "no harbour")).isLessThanOrEqualTo(1 + runs.get() / 2);
    }

    private static long lines(CapturedOutput output, String text) {
        return Pattern.compile(text, Pattern.LITERAL).matcher(output).results().count();
    }

    @Test
    @DisplayName("ends its pause when it is woken, also if that was during a run")
    void woken() {
        loop = loop(NEVER, () -> {
            if (runs.incrementAndGet() == 1) {
                loop.wake();
                loop.wake();
            }
        });
        loop.start();
        awaitRuns(2);
        await().during(Duration.ofMillis(50)).until(() -> runs.get() == 2);
        loop.wake();
        awaitRuns(3);
    }

    @Test
    @DisplayName("makes its whole pause after a failure, however often it is woken, unless it is stopped")
    void wokenAfterFailure() {
        loop = loop(NEVER, () -> {
            runs.incrementAndGet();
            throw new IllegalStateException("low tide");
        });
        loop.start();
        awaitRuns(1);
        await().during(Duration.ofMillis(50)).until(() -> {
            loop.wake();
            return runs.get() == 1;
        });
        loop.stop(SOON);
        assertThat(loop.isRunning()).isFalse();
    }

    @Test
    @DisplayName("lets its task end, which can ask whether it has to, and ends its pauses")
    void stops() {
        AtomicBoolean isDone = new AtomicBoolean();
        loop = loop(NEVER, () -> {
            runs.incrementAndGet();
            while (!loop.isStopping()) {
                loop.pause(NEVER);
            }
            isDone.set(true);
        });
        loop.start();
        awaitRuns(1);
        loop.stop(SOON);
        assertThat(isDone).isTrue();
    }

    @Test
    @DisplayName("interrupts a task that does not end in time")
    void interrupts() throws InterruptedException {
        CountDownLatch interrupted = new CountDownLatch(1);
        loop = loop(NEVER, () -> {
            runs.incrementAndGet();
            try {
                var _ = new CountDownLatch(1).await(1, TimeUnit.HOURS);
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });
        loop.start();
        awaitRuns(1);
        loop.stop(SHORT);
        assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @DisplayName("has one thread, also if it is started twice, or started again before its task has ended")
    void oneThread() {
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger atOnceMax = new AtomicInteger();
        loop = loop(SHORT, () -> {
            runs.incrementAndGet();
            atOnceMax.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            try {
                // An interrupt ends this pause, and the task goes on.
                var _ = new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
            } finally {
                atOnce.decrementAndGet();
            }
        });
        for (int i = 0; i < 5; i++) {
            loop.start();
            loop.start();
            awaitRuns(runs.get() + 1);
            loop.stop(SHORT);
        }
        loop.start();
        awaitRuns(runs.get() + 2);
        assertThat(atOnceMax).hasValue(1);
    }
}
