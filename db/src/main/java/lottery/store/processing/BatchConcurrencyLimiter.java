package lottery.store.processing;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits how many batches are handled at once. A few batches keep all cores busy. More batches at once would be
 * smaller, and would leave less time for requests and for Java's compiler. While a processor waits for its turn, its
 * next batch grows.
 *
 * <p>Each batch needs a place, and waits a moment for a turn. There are more places than turns, because the batches
 * that have a turn may wait for a broker or a lock.
 */
final class BatchConcurrencyLimiter {

    private static final int TURNS_MIN = 4;
    private static final int TURNS_PER_CORE = 2;

    /** How long a batch that has a place waits for a turn. After this time it goes ahead without one. */
    private static final Duration WAIT_FOR_TURN_MAX = Duration.ofMillis(200);

    /**
     * How many more places than turns there are. Each batch keeps a connection to PostgreSQL. If the machine is so slow
     * that all batches take seconds, the requests need the other connections.
     */
    private static final int PLACES_WITHOUT_TURN = 8;

    /** How long a batch waits for a place. After this time it goes on without a place. */
    private static final Duration WAIT_FOR_PLACE_MAX = Duration.ofSeconds(10);

    private final Semaphore turns;
    private final Semaphore places;
    private final Duration waitForTurnMax;
    private final Duration waitForPlaceMax;

    BatchConcurrencyLimiter() {
        this(
                Math.max(TURNS_MIN, TURNS_PER_CORE * Runtime.getRuntime().availableProcessors()),
                PLACES_WITHOUT_TURN,
                WAIT_FOR_TURN_MAX,
                WAIT_FOR_PLACE_MAX);
    }

    BatchConcurrencyLimiter(int turnsMax, int placesWithoutTurn, Duration waitForTurnMax, Duration waitForPlaceMax) {
        this.turns = new Semaphore(turnsMax, true);
        this.places = new Semaphore(turnsMax + placesWithoutTurn, true);
        this.waitForTurnMax = waitForTurnMax;
        this.waitForPlaceMax = waitForPlaceMax;
    }

    interface BatchTask {
        void go() throws Exception;
    }

    void take(BatchTask work) throws Exception {
        goAfterWait(places, waitForPlaceMax, () -> goAfterWait(turns, waitForTurnMax, work));
    }

    /** Waits for a permit, and does the work with it, or without it if there is none in time. */
    private static void goAfterWait(Semaphore permits, Duration waitMax, BatchTask work) throws Exception {
        boolean isTaken = permits.tryAcquire(waitMax.toNanos(), TimeUnit.NANOSECONDS);
        try {
            work.go();
        } finally {
            if (isTaken) {
                permits.release();
            }
        }
    }
}
