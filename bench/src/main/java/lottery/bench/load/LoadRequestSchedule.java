package lottery.bench.load;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Decides when the next request is due, and from when its latency is measured.
 *
 * <p>Without a rate, each caller sends its next request when it has its answer, so there are as many requests as the
 * lottery can answer. At a fixed rate, requests are due independently of the lottery, and latencies are measured from
 * the due time. Therefore a stall counts for all requests that were due meanwhile, even if they were not yet sent at
 * the end.
 */
final class LoadRequestSchedule {

    private static final double NANOS_PER_SECOND = Duration.ofSeconds(1).toNanos();
    private static final Duration LOOK = Duration.ofMillis(50);

    private final long beginNanos = System.nanoTime();
    private final double perSecond;
    private final AtomicLong numbers = new AtomicLong();
    private volatile boolean isOver;
    private volatile long endNanos;

    private LoadRequestSchedule(double perSecond) {
        this.perSecond = perSecond;
    }

    static LoadRequestSchedule asAnswered() {
        return new LoadRequestSchedule(0);
    }

    static LoadRequestSchedule at(double perSecond) {
        return new LoadRequestSchedule(perSecond);
    }

    /** Ends the measurement. No further request becomes due, but requests that are already due are still sent. */
    void end() {
        endNanos = System.nanoTime();
        isOver = true;
    }

    /**
     * Waits until the next request is due. Returns its due time in {@link System#nanoTime}; empty if there are no more
     * requests.
     */
    OptionalLong awaitNext() {
        if (perSecond == 0) {
            return isOver ? OptionalLong.empty() : OptionalLong.of(System.nanoTime());
        }
        long due = due(numbers.getAndIncrement());
        for (long wait = due - System.nanoTime(); wait > 0 && !isAfterEnd(due); wait = due - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(wait, LOOK.toNanos()));
        }
        return isAfterEnd(due) ? OptionalLong.empty() : OptionalLong.of(due);
    }

    /** Returns how many requests were due but were not taken by a caller. */
    long left() {
        return perSecond == 0
                ? 0
                : Math.max(0, Math.round((endNanos - beginNanos) / NANOS_PER_SECOND * perSecond) - numbers.get());
    }

    private boolean isAfterEnd(long due) {
        return isOver && due - endNanos >= 0;
    }

    private long due(long number) {
        return beginNanos + (long) (number * NANOS_PER_SECOND / perSecond);
    }
}
