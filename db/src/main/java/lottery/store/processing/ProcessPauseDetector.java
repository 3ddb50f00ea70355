package lottery.store.processing;

import java.time.Duration;
import lottery.store.loop.BackgroundLoop;
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

    private final BackgroundLoop loop = new BackgroundLoop(
            "pause-detector", LOOK, this::look, "Pauses of this process cannot be detected: {}. They are not logged.");

    private long beforeNanos;

    void start() {
        beforeNanos = System.nanoTime();
        loop.start();
    }

    private void look() {
        long nowNanos = System.nanoTime();
        if (nowNanos - beforeNanos >= PAUSE_MIN.toNanos()) {
            log.warn(
                    "This process has stood still for {} s. Other processes may have taken over its processors,"
                            + " and PostgreSQL may have ended its transactions. It recovers by itself.",
                    Duration.ofNanos(nowNanos - beforeNanos).toSeconds());
        }
        beforeNanos = nowNanos;
    }

    @Override
    public void close() {
        loop.close();
    }
}
