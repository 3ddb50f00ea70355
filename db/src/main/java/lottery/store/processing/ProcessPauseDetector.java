package lottery.store.processing;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that the whole process was paused, and writes this to the process's log. After a pause the process also logs
 * lost claims and ended connections. Without the line about the pause, these would look like a fault of PostgreSQL.
 */
final class ProcessPauseDetector implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ProcessPauseDetector.class);

    private static final Duration LOOK = Duration.ofSeconds(1);

    /**
     * The shortest pause to report. Other processes may notice a pause of this length, and shorter pauses are normal on
     * a busy machine.
     */
    private static final Duration PAUSE_MIN = Duration.ofSeconds(5);

    private final Thread thread =
            Thread.ofPlatform().name("pause-detector").daemon().unstarted(this::run);
    private final CountDownLatch closing = new CountDownLatch(1);

    void start() {
        thread.start();
    }

    private void run() {
        try {
            long beforeNanos = System.nanoTime();
            while (!closing.await(LOOK.toNanos(), TimeUnit.NANOSECONDS)) {
                long nowNanos = System.nanoTime();
                if (nowNanos - beforeNanos >= PAUSE_MIN.toNanos()) {
                    log.warn(
                            "This process has stood still for {} s. Other processes may have taken over its processors,"
                                    + " and PostgreSQL may have ended its transactions. It recovers by itself.",
                            Duration.ofNanos(nowNanos - beforeNanos).toSeconds());
                }
                beforeNanos = nowNanos;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closing.countDown();
    }
}
