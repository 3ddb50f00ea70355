package lottery.store.processing;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Who handles a batch now. A few keep all cores busy; the more there are at once, the smaller their batches are, and
 * the less is left for requests and for Java's compiler. While a processor waits for its turn, its next batch grows.
 */
final class Turns {

    private static final int AT_ONCE_MIN = 4;
    private static final int AT_ONCE_PER_CORE = 2;

    /** Who is kept waiting by those that wait themselves, for a broker or for a lock, goes ahead after this. */
    private static final long WAIT_MAX_MS = 200;

    private final Semaphore free;

    Turns() {
        this(Math.max(AT_ONCE_MIN, AT_ONCE_PER_CORE * Runtime.getRuntime().availableProcessors()));
    }

    Turns(int atOnceMax) {
        this.free = new Semaphore(atOnceMax, true);
    }

    /** Something that is done in turn. */
    interface Work {
        void go() throws Exception;
    }

    void await(Work work) throws Exception {
        boolean inTurn = free.tryAcquire(WAIT_MAX_MS, TimeUnit.MILLISECONDS);
        try {
            work.go();
        } finally {
            if (inTurn) {
                free.release();
            }
        }
    }
}
