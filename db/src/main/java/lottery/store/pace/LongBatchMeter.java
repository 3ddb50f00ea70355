package lottery.store.pace;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Measures the speed of a busy processor that needs seconds for each batch. Within two seconds, such a processor stores
 * one position or none, so it would seem to stand still.
 */
final class LongBatchMeter {

    /** How many positions it compares: they are the ends of the last two batches, and where these batches began. */
    private static final int POSITIONS = 3;

    private static final int BATCHES = POSITIONS - 1;

    private static final Duration BATCH_TIME_MIN = Duration.ofSeconds(2);

    /**
     * The least events of a batch. A processor that fails again and again handles fewer, because it goes one by one.
     */
    private static final long BATCH_EVENTS_MIN = 250;

    private final Deque<StoredPosition> latest = new ArrayDeque<>();

    /** A position, and when it was read first. */
    private record StoredPosition(long atNanos, long position) {}

    /** Takes the position that the processor has stored. */
    void read(long nowNanos, long position) {
        if (standsStill(nowNanos)) {
            forget();
        }
        if (latest.isEmpty() || latest.getLast().position() != position) {
            latest.addLast(new StoredPosition(nowNanos, position));
        }
        if (latest.size() > POSITIONS) {
            latest.removeFirst();
        }
    }

    /** Forgets all positions, because the processor was idle. */
    void forget() {
        latest.clear();
    }

    /** Returns the events per second, or 0 if the batches are short or small, or if it has not seen enough of them. */
    double speed() {
        return latest.size() < POSITIONS
                        || nanos() < BATCHES * BATCH_TIME_MIN.toNanos()
                        || events() < BATCHES * BATCH_EVENTS_MIN
                ? 0
                : events() * 1e9 / nanos();
    }

    /** Returns whether the processor has stored nothing for longer than four batches take. */
    private boolean standsStill(long nowNanos) {
        return latest.size() == POSITIONS && nowNanos - latest.getLast().atNanos() > 2 * nanos();
    }

    private long nanos() {
        return latest.getLast().atNanos() - latest.getFirst().atNanos();
    }

    private long events() {
        return latest.getLast().position() - latest.getFirst().position();
    }
}
