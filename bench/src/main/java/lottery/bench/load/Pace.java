package lottery.bench.load;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** When the next request is due, and from when it is timed. */
sealed interface Pace {

    /** Waits until the next request is due, and says since when it is, by {@link System#nanoTime}. */
    long awaitNext();

    /** Each caller asks again when it has its answer: as many requests as the lottery bears. */
    record Closed() implements Pace {

        @Override
        public long awaitNext() {
            return System.nanoTime();
        }
    }

    /**
     * Requests are due at a fixed rate whatever the lottery does, and are timed from then: a stall counts for all who
     * came meanwhile.
     */
    record Open(long beginNanos, double perSecond, AtomicLong numbers) implements Pace {

        private static final double NANOS_PER_SECOND = Duration.ofSeconds(1).toNanos();

        static Open of(double perSecond) {
            return new Open(System.nanoTime(), perSecond, new AtomicLong());
        }

        @Override
        public long awaitNext() {
            long due = beginNanos + (long) (numbers.getAndIncrement() * NANOS_PER_SECOND / perSecond);
            for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            return due;
        }
    }
}
