package lottery.store.pace;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The pace at which units of work may begin. Whoever is asked to do one begins it with {@link #begin}; who would have
 * to wait for too long is told so before anything was done. Without this, commands that are accepted faster than
 * processors follow would leave them behind for ever, and what is read would be older and older.
 */
public final class AdmissionControl implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(AdmissionControl.class);

    private static final Duration LOOK = Duration.ofMillis(200);
    /** So long the latest limit holds without a look. */
    private static final Duration BLIND_MAX = Duration.ofSeconds(5);

    private static final Duration END_MAX = Duration.ofSeconds(5);

    /** Whoever watches the log need not read each of a day's thousand times. */
    private static final Duration TELLING_PAUSE = Duration.ofMinutes(1);

    /** So many of those who come in vain are kept waiting; it costs a thread that sleeps. */
    private static final int IN_VAIN_MAX = 1_000;

    /** Who comes at the same moment need not be told apart. */
    private static final Duration BURST = Duration.ofMillis(20);

    private final LongFunction<ProgressReading> progress;
    private final double coldSpeed;
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final Semaphore inVain = new Semaphore(IN_VAIN_MAX);

    private volatile double limit = AdmissionRateController.UNLIMITED;
    private volatile boolean felt;
    private volatile CountDownLatch stopping = new CountDownLatch(0);
    private volatile @Nullable Thread thread;

    /** When the next unit is due. */
    private long nextNanos = System.nanoTime();

    /** Of the look before. */
    private long seenUnits;

    private long seenAtNanos = System.nanoTime();

    private long toldNanos = System.nanoTime() - TELLING_PAUSE.toNanos();

    /**
     * The pace of a process.
     *
     * @param progress how far everybody is, when so many units have begun here
     * @param coldSpeed events a second that processors are believed to handle when the process is new
     */
    AdmissionControl(LongFunction<ProgressReading> progress, double coldSpeed) {
        this.progress = progress;
        this.coldSpeed = coldSpeed;
    }

    /**
     * Waits for its turn. Who comes in vain waits as well before being told: whoever is sent away at once may ask again
     * at once, and to send somebody away costs about as much as to let him in. Of a crowd that is too large for that
     * the rest is told at once.
     *
     * @param units that begin at once
     * @return false if it would have taken longer
     */
    public boolean begin(int units, Duration waitMax) {
        double current = limit;
        if (current != AdmissionRateController.UNLIMITED) {
            long waitNanos = turn(units, current, waitMax.toNanos());
            if (waitNanos < 0) {
                refused.addAndGet(units);
                waitInVain(waitMax);
                return false;
            }
            if (!pause(waitNanos)) {
                return false;
            }
        }
        begun.addAndGet(units);
        return true;
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

    /** Says whether nobody wanted it to end. */
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

    private synchronized long turn(int units, double current, long waitMaxNanos) {
        long now = System.nanoTime();
        long dueNanos = Math.max(nextNanos, now - BURST.toNanos());
        long waitNanos = dueNanos - now;
        felt |= waitNanos > 0;
        if (waitNanos > waitMaxNanos) {
            return -1;
        }
        nextNanos = dueNanos + (long) (units / current * 1e9);
        return Math.max(0, waitNanos);
    }

    /** Units that may begin a second; infinite while there is no limit. */
    public double limit() {
        return limit;
    }

    /** How many were not let in so far. */
    public long refused() {
        return refused.get();
    }

    /** While nobody begins anything there is nothing to look at. */
    private void look(AdmissionRateController regulator) {
        long units = begun.get();
        if (units == seenUnits && limit == AdmissionRateController.UNLIMITED) {
            return;
        }
        seenUnits = units;
        try {
            boolean wasFelt = felt;
            felt = false;
            set(regulator.limit(progress.apply(units), wasFelt));
            seenAtNanos = System.nanoTime();
        } catch (RuntimeException away) {
            // When connections are short there is too much under way, and not too little; when the database is away,
            // whoever begins something will hear of it from there.
            log.debug("Nobody knows how far the processors are", away);
            if (System.nanoTime() - seenAtNanos > BLIND_MAX.toNanos()) {
                set(AdmissionRateController.UNLIMITED);
            }
        }
    }

    private void set(double next) {
        boolean isNew = limit == AdmissionRateController.UNLIMITED && next != AdmissionRateController.UNLIMITED;
        limit = next;
        if (isNew && System.nanoTime() - toldNanos > TELLING_PAUSE.toNanos()) {
            toldNanos = System.nanoTime();
            log.info("Processors fall behind: {} units of work may begin a second for now", Math.round(next));
        }
    }

    @Override
    public void start() {
        if (isRunning()) {
            return;
        }
        CountDownLatch stop = new CountDownLatch(1);
        stopping = stop;
        thread = Thread.ofPlatform().name("pace").daemon().start(() -> lookUntil(stop));
    }

    private void lookUntil(CountDownLatch stop) {
        AdmissionRateController regulator = new AdmissionRateController(coldSpeed);
        try {
            while (!stop.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                look(regulator);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Error e) {
            log.error("Nobody looks after the pace any more: there is no limit", e);
            throw e;
        } finally {
            // A limit that nobody looks after holds up nobody.
            limit = AdmissionRateController.UNLIMITED;
        }
    }

    @Override
    public void stop() {
        stopping.countDown();
        Thread looking = thread;
        try {
            if (looking != null) {
                looking.join(END_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return stopping.getCount() > 0;
    }

    /** There before anybody is let in over the network, and until the last of them has gone. */
    @Override
    public int getPhase() {
        return 0;
    }
}
