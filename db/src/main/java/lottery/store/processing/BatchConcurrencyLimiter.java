package lottery.store.processing;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits how many batches are handled at once. A few batches keep all cores busy. More batches at once would be
 * smaller, and would leave less time for requests and for Java's compiler. While a processor waits for its turn, its
 * next batch grows.
 */
final class BatchConcurrencyLimiter {

    private static final int AT_ONCE_MIN = 4;
    private static final int AT_ONCE_PER_CORE = 2;

    /**
     * After this time a processor goes ahead without a turn, because the processors that have a turn may wait for a
     * broker or a lock.
     */
    private static final Duration WAIT_MAX = Duration.ofMillis(200);

    private final Semaphore free;
    private final Duration waitMax;

    BatchConcurrencyLimiter() {
        this(Math.max(AT_ONCE_MIN, AT_ONCE_PER_CORE * Runtime.getRuntime().availableProcessors()), WAIT_MAX);
    }

    BatchConcurrencyLimiter(int atOnceMax, Duration waitMax) {
        this.free = new Semaphore(atOnceMax, true);
        this.waitMax = waitMax;
    }

    interface Work {
        void go() throws Exception;
    }

    void take(Work work) throws Exception {
        boolean inTurn = free.tryAcquire(waitMax.toNanos(), TimeUnit.NANOSECONDS);
        try {
            work.go();
        } finally {
            if (inTurn) {
                free.release();
            }
        }
    }
}
