package lottery.bench.load;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Tells when the next request is due, and from when it is timed.
 *
 * <p>Without a rate, each caller asks again when it has its answer: as many requests as the lottery bears. At a fixed
 * rate, requests are due whatever the lottery does, and are timed from then. A stall counts for all requests that were
 * due meanwhile, also for those that were not sent when the time is over.
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

    /** Ends the time: nothing becomes due any more, and requests that were due until now still are. */
    void end() {
        endNanos = System.nanoTime();
        isOver = true;
    }

    /** Waits until the next request is due. Returns since when it is, by {@link System#nanoTime}; empty if none is. */
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

    /** Returns how many requests were due and were given to no caller. */
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
