package lottery.store.pace;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import lottery.store.loop.BackgroundLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits how fast units of work may begin in one log. A caller calls {@link #tryAdmit} before each unit. If it would
 * have to wait for too long, it is refused before any work is done. Without a limit, commands could be accepted faster
 * than processors handle their events. Processors would then fall behind more and more, and read models would become
 * older and older.
 */
final class LogAdmissionControl {

    private static final Logger log = LoggerFactory.getLogger(LogAdmissionControl.class);

    private static final Duration LOOK = Duration.ofMillis(200);
    /** How long the latest limit holds without a new reading. */
    private static final Duration BLIND_MAX = Duration.ofSeconds(5);

    private static final Duration END_MAX = Duration.ofSeconds(5);

    /**
     * The minimum pause between two log entries about a new limit, because a limit may begin a thousand times a day.
     */
    private static final Duration TELLING_PAUSE = Duration.ofMinutes(1);

    /** How many refused callers may wait at once. There is a maximum, because each of them occupies a thread. */
    private static final int IN_VAIN_MAX = 1_000;

    /**
     * If no unit began for a while, as many units may begin at once as the limit allows in this time. Therefore callers
     * that come at the same moment need not wait for each other.
     */
    private static final Duration BURST = Duration.ofMillis(20);

    /** The longest time for which units that were begun together with an admitted unit delay later units. */
    private static final Duration DEBT_MAX = Duration.ofSeconds(2);

    /** How long a process counts as cold after its start: until then most of its code is not compiled yet. */
    private static final Duration COLD = Duration.ofSeconds(30);

    /**
     * The least time for which a caller of a cold process waits before it is refused. A cold process is slow for
     * seconds, and not overloaded.
     */
    private static final Duration COLD_WAIT_MAX = Duration.ofSeconds(5);

    private final LongFunction<ProgressReading> progress;
    private final double coldSpeed;
    private final AdmissionRateController regulator;
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final Semaphore inVain = new Semaphore(IN_VAIN_MAX);
    private final BackgroundLoop looks = new BackgroundLoop(
            "admission-control",
            LOOK,
            this::look,
            "The positions of the processors could not be read: {}. After " + BLIND_MAX.toSeconds()
                    + " s commands are admitted without a limit.");

    private volatile double limit = AdmissionRateController.UNLIMITED;
    private volatile boolean delayed;
    private volatile long startedNanos = System.nanoTime() - COLD.toNanos();

    /** When the next unit is due. */
    private long nextNanos = System.nanoTime();

    /** How many units had begun at the previous look. */
    private long seenUnits;

    private long seenAtNanos = System.nanoTime();

    private long toldNanos = System.nanoTime() - TELLING_PAUSE.toNanos();

    /**
     * Creates the admission control of a process for one log.
     *
     * @param progress reads the positions of the log and its processors, given the number of units that have begun here
     * @param coldSpeed the events per second that processors of a new process are assumed to handle; 0 if the process
     *     is not new
     */
    LogAdmissionControl(LongFunction<ProgressReading> progress, double coldSpeed) {
        this.progress = progress;
        this.coldSpeed = coldSpeed;
        this.regulator = new AdmissionRateController(coldSpeed);
    }

    /**
     * Waits for the caller's turn, in a cold process for up to 5 s even if less is given. A caller that is refused also
     * waits before this method returns. Otherwise it could ask again at once, and a refusal costs about as much as an
     * admission. If too many refused callers wait already, the method returns at once.
     *
     * @return false if the turn would have come too late, or after an interrupt
     */
    boolean tryAdmit(Duration waitMax) {
        double current = limit;
        if (current != AdmissionRateController.UNLIMITED) {
            long waitNanos = turn(current, Math.max(waitMax.toNanos(), isCold() ? COLD_WAIT_MAX.toNanos() : 0));
            if (waitNanos < 0) {
                refused.incrementAndGet();
                waitInVain(waitMax);
                return false;
            }
            if (!pause(waitNanos)) {
                return false;
            }
        }
        begun.incrementAndGet();
        return true;
    }

    /**
     * Counts further units that were begun together with an admitted unit. Later units wait longer, by as many turns.
     */
    void charge(int units) {
        begun.addAndGet(units);
        double current = limit;
        if (current != AdmissionRateController.UNLIMITED) {
            postpone((long) (units / current * 1e9));
        }
    }

    private synchronized void postpone(long nanos) {
        nextNanos = Math.min(nextNanos + nanos, System.nanoTime() + DEBT_MAX.toNanos());
    }

    private boolean isCold() {
        return coldSpeed > 0 && System.nanoTime() - startedNanos < COLD.toNanos();
    }

    private void waitInVain(Duration waitMax) {
        if (inVain.tryAcquire()) {
            try {
                pause(waitMax.toNanos());
            } finally {
                inVain.release();
            }
        }
    }

    /** Pauses; returns false after an interrupt. */
    private static boolean pause(long nanos) {
        long endNanos = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
        }
        return true;
    }

    private synchronized long turn(double current, long waitMaxNanos) {
        long now = System.nanoTime();
        long dueNanos = Math.max(nextNanos, now - BURST.toNanos());
        long waitNanos = dueNanos - now;
        delayed |= waitNanos > 0;
        if (waitNanos > waitMaxNanos) {
            return -1;
        }
        nextNanos = dueNanos + (long) (1e9 / current);
        return Math.max(0, waitNanos);
    }

    /** Returns how many units may begin per second; infinite while there is no limit. */
    double limit() {
        return limit;
    }

    /** Returns how many units were refused so far. */
    long refused() {
        return refused.get();
    }

    /**
     * Sets the limit from a new reading of the positions. It reads nothing if there is no limit and no unit has begun
     * since the previous call.
     */
    private void look() {
        long units = begun.get();
        if (units == seenUnits && limit == AdmissionRateController.UNLIMITED) {
            regulator.forget();
            return;
        }
        seenUnits = units;
        try {
            boolean hasDelayed = delayed;
            delayed = false;
            set(regulator.limit(progress.apply(units), hasDelayed));
            seenAtNanos = System.nanoTime();
        } catch (RuntimeException | Error e) {
            // If the pool has no free connection, too much work is under way, and the limit stays. If the database is
            // unavailable, callers find out when they use it.
            if (System.nanoTime() - seenAtNanos > BLIND_MAX.toNanos()) {
                set(AdmissionRateController.UNLIMITED);
            }
            throw e;
        }
    }

    private void set(double next) {
        boolean isNew = limit == AdmissionRateController.UNLIMITED && next != AdmissionRateController.UNLIMITED;
        limit = next;
        if (isNew && System.nanoTime() - toldNanos > TELLING_PAUSE.toNanos()) {
            toldNanos = System.nanoTime();
            log.info(
                    "Processors fall behind. This process begins at most {} units of work per second until they catch up.",
                    Math.round(next));
        }
    }

    void start() {
        if (isRunning()) {
            return;
        }
        startedNanos = System.nanoTime();
        looks.start();
    }

    void stop() {
        looks.stop(END_MAX);
        // A limit that is not updated any more must not delay callers.
        limit = AdmissionRateController.UNLIMITED;
    }

    boolean isRunning() {
        return looks.isRunning();
    }
}
