package lottery.embedded;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for another process by polling, because such a process does not report when it is ready or has ended. */
final class PollingWait {

    private static final Duration PAUSE = Duration.ofMillis(15);

    private PollingWait() {}

    /** Returns whether the condition became true within the limit; false if the thread was interrupted. */
    static boolean until(BooleanSupplier condition, Duration limit) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > limit.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return true;
    }
}
