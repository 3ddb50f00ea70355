package lottery.embedded;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for another process, which tells nobody when it is ready or gone: one has to look, again and again. */
final class PollingWait {

    private static final Duration PAUSE = Duration.ofMillis(15);

    private PollingWait() {}

    /** Whether the condition became true before the limit was over. */
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
