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
     * After this time a processor may go ahead without a turn, because the processors that have a turn may wait for a
     * broker or a lock.
     */
    private static final Duration WAIT_FOR_TURN_MAX = Duration.ofMillis(200);

    /**
     * How many batches are handled without a turn. Each batch keeps a connection to PostgreSQL. If the machine is so
     * slow that all batches take seconds, the requests need the other connections.
     */
    private static final int WITHOUT_TURN_MAX = 8;

    /** After this time a processor goes ahead in any case. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(10);

    private final Semaphore turns;
    private final Semaphore withoutTurn;
    private final Duration waitForTurnMax;
    private final Duration waitMax;

    BatchConcurrencyLimiter() {
        this(
                Math.max(AT_ONCE_MIN, AT_ONCE_PER_CORE * Runtime.getRuntime().availableProcessors()),
                WITHOUT_TURN_MAX,
                WAIT_FOR_TURN_MAX,
                WAIT_MAX);
    }

    BatchConcurrencyLimiter(int turnsMax, int withoutTurnMax, Duration waitForTurnMax, Duration waitMax) {
        this.turns = new Semaphore(turnsMax, true);
        this.withoutTurn = new Semaphore(withoutTurnMax);
        this.waitForTurnMax = waitForTurnMax;
        this.waitMax = waitMax;
    }

    interface Work {
        void go() throws Exception;
    }

    void take(Work work) throws Exception {
        long beginNanos = System.nanoTime();
        do {
            if (turns.tryAcquire(waitForTurnMax.toNanos(), TimeUnit.NANOSECONDS)) {
                goAndRelease(work, turns);
                return;
            }
            if (withoutTurn.tryAcquire()) {
                goAndRelease(work, withoutTurn);
                return;
            }
        } while (System.nanoTime() - beginNanos < waitMax.toNanos());
        work.go();
    }

    private static void goAndRelease(Work work, Semaphore taken) throws Exception {
        try {
            work.go();
        } finally {
            taken.release();
        }
    }
}
