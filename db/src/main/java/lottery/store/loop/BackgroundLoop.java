package lottery.store.loop;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;

/**
 * Runs a task again and again on a thread of its own, with a pause after each run. No failure ends the loop. Each kind
 * of failure is logged once, until the task succeeds.
 *
 * <p>A stop waits for the current run, and interrupts it after a limited time. A loop that is a bean starts after all
 * other beans, and stops before them. The class is thread-safe.
 */
public final class BackgroundLoop implements SmartLifecycle, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(BackgroundLoop.class);

    /** How long a stop waits for the current run, unless its caller gives another time. */
    private static final Duration STOP_MAX = Duration.ofSeconds(2);

    private final String name;
    private final Duration pause;
    private final LoopTask task;
    private final String trouble;
    private final Predicate<Throwable> isOutage;
    private final Semaphore wakes = new Semaphore(0);

    private volatile boolean stopping;

    /** The thread of the latest start; it is guarded by this object. */
    private @Nullable Thread thread;

    /** Whether the thread goes on; it is guarded by this object. */
    private boolean runs;

    /** The kinds of failures that were logged since the task has last succeeded. */
    private final Set<Class<?>> logged = ConcurrentHashMap.newKeySet();

    /** The work of a loop in each run. */
    @FunctionalInterface
    public interface LoopTask {

        /** Runs once. If it may take long, it asks {@link #isStopping} now and then. */
        void run() throws Exception;
    }

    /**
     * Creates a loop, which begins with {@link #start}.
     *
     * @param name the name of its thread
     * @param pause the pause after each run
     * @param trouble what is logged after a failure: what failed, {@code {}} for the cause, and the consequence
     */
    public BackgroundLoop(String name, Duration pause, LoopTask task, String trouble) {
        this(name, pause, task, trouble, BackgroundLoop::isOutage);
    }

    /** @param isOutage tells failures of other systems from faults of the code, which are logged with a stack trace */
    public BackgroundLoop(String name, Duration pause, LoopTask task, String trouble, Predicate<Throwable> isOutage) {
        this.name = name;
        this.pause = pause;
        this.task = task;
        this.trouble = trouble;
        this.isOutage = isOutage;
    }

    private static boolean isOutage(Throwable failure) {
        Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
        return failure instanceof DataAccessException || cause instanceof SQLException || cause instanceof IOException;
    }

    /** Begins with the first run at once; does nothing if the loop is running. */
    @Override
    public synchronized void start() {
        stopping = false;
        if (!runs) {
            runs = true;
            thread = Thread.ofPlatform().name(name).daemon().start(this::repeat);
        }
    }

    private void repeat() {
        do {
            boolean isDone = runOnce();
            try {
                if (isDone) {
                    pause(pause);
                } else {
                    pauseAfterFailure();
                }
            } catch (InterruptedException e) {
                log.debug("The loop {} was interrupted.", name);
            }
        } while (goesOn());
    }

    /**
     * Decides whether the thread goes on. A start before this decision uses the same thread, so there is never a second
     * one.
     */
    private synchronized boolean goesOn() {
        runs = !stopping;
        return runs;
    }

    private boolean runOnce() {
        try {
            task.run();
            recovered();
            return true;
        } catch (InterruptedException e) {
            log.debug("The task of the loop {} was interrupted.", name);
            return true;
        } catch (Exception | Error e) {
            // Errors are caught, too, because nothing restarts this thread.
            failed(e);
            return false;
        }
    }

    /** Pauses, and goes on with the pause after a {@link #wake}. Otherwise a failure could repeat without any pause. */
    private void pauseAfterFailure() throws InterruptedException {
        long endNanos = System.nanoTime() + pause.toNanos();
        for (long left = pause.toNanos(); left > 0 && !stopping; left = endNanos - System.nanoTime()) {
            pause(Duration.ofNanos(left));
        }
    }

    private void failed(Throwable failure) {
        if (stopping || !logged.add(failure.getClass())) {
            log.debug("The task of the loop {} has failed.", name, failure);
            return;
        }
        Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
        if (isOutage.test(failure)) {
            log.warn(trouble + " It is tried again.", cause.toString());
        } else {
            // This may be a fault of the code, and its place is in the stack trace.
            log.warn(trouble + " It is tried again.", cause.toString(), failure);
        }
    }

    /** Makes the next failure be logged. A task whose runs take long calls this when it works again. */
    public void recovered() {
        logged.clear();
    }

    /** Ends the current pause, unless it follows a failure. If the task runs now, the next pause is left out. */
    public void wake() {
        wakes.release();
    }

    /** Lets the task pause until the time is over, or until a {@link #wake} or a stop. */
    public void pause(Duration max) throws InterruptedException {
        if (!stopping && wakes.tryAcquire(max.toNanos(), TimeUnit.NANOSECONDS)) {
            wakes.drainPermits();
        }
    }

    /** Returns whether the loop was asked to end, so that the task has to end, too. */
    public boolean isStopping() {
        return stopping;
    }

    @Override
    public synchronized boolean isRunning() {
        return runs && !stopping;
    }

    @Override
    public void stop() {
        stop(STOP_MAX);
    }

    /** Ends the loop. If the current run does not end within this time, it is interrupted. */
    public void stop(Duration max) {
        stopAll(List.of(this), max);
    }

    /** Ends several loops, which have this time together. */
    public static void stopAll(List<BackgroundLoop> loops, Duration max) {
        long endNanos = System.nanoTime() + max.toNanos();
        loops.forEach(BackgroundLoop::askToStop);
        try {
            for (BackgroundLoop loop : loops) {
                loop.awaitEnd(Duration.ofNanos(endNanos - System.nanoTime()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void askToStop() {
        stopping = true;
        wake();
    }

    private void awaitEnd(Duration max) throws InterruptedException {
        Thread ending;
        synchronized (this) {
            ending = thread;
        }
        if (ending != null && !ending.join(max)) {
            log.info("The loop {} did not stop in time. It is interrupted, and what it began is not finished.", name);
            ending.interrupt();
        }
    }

    @Override
    public void close() {
        stop();
    }
}
