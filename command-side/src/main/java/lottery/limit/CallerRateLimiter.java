package lottery.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.function.LongConsumer;

/**
 * Limits how many units each caller takes per second. A caller who took no units for a while may take the units of two
 * seconds at once. The units of a caller who takes more than a quarter of the rate here also count in other processes
 * ({@link SharedBuckets}).
 *
 * <p>It is thread-safe. A unit costs a map lookup, and no caller waits for the network.
 */
public final class CallerRateLimiter {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration IDLE_MAX = Duration.ofMinutes(1);
    private static final int CALLERS_MAX = 200_000;
    private static final int BURST_FACTOR = 2;

    /** A caller who takes less than the rate divided by this number here does not count in other processes. */
    private static final int SLOW_PART = 4;

    /** The longest time for which units from other processes delay a caller here. */
    private static final int DEBT_MAX_SECONDS = 4;

    /** Counts the units that callers take in all processes. No method waits, or fails. */
    @FunctionalInterface
    interface SharedUnits {

        /**
         * Counts units that a caller has taken here.
         *
         * @param left gets, later, how many units are left to the caller; negative, if there were too many
         */
        void take(String caller, Bandwidth limit, int units, LongConsumer left);
    }

    private final int perSecond;
    private final TimeMeter time;
    private final SharedUnits shared;
    private final Bandwidth limit;
    private final Bandwidth slowLimit;

    private final Cache<String, CallerUnits> callers = Caffeine.newBuilder()
            .maximumSize(CALLERS_MAX)
            .expireAfterAccess(IDLE_MAX)
            .build();

    /**
     * Limits only the units that are taken in this process.
     *
     * @param perSecond how many units each caller may take per second; 0: there is no limit
     */
    public CallerRateLimiter(int perSecond) {
        this(perSecond, TimeMeter.SYSTEM_MILLISECONDS, (_, _, _, _) -> {});
    }

    CallerRateLimiter(int perSecond, TimeMeter time, SharedUnits shared) {
        this.perSecond = Math.max(0, perSecond);
        this.time = time;
        this.shared = shared;
        long rate = Math.max(1, perSecond);
        this.limit = Bandwidth.builder()
                .capacity(rate * BURST_FACTOR)
                .refillGreedy(rate, SECOND)
                .build();
        this.slowLimit = Bandwidth.builder()
                .capacity(1 + rate / SLOW_PART)
                .refillGreedy(rate, SECOND.multipliedBy(SLOW_PART))
                .build();
    }

    /** Takes a unit for a caller; returns false if there is none now. */
    public boolean tryTake(String caller) {
        return perSecond == 0 || units(caller).tryTake();
    }

    /**
     * Takes units that the caller has spent already, even beyond the limit. The caller then waits longer for its next
     * unit.
     */
    public void take(String caller, int units) {
        if (perSecond > 0 && units > 0) {
            units(caller).take(units);
        }
    }

    private CallerUnits units(String caller) {
        return callers.get(caller, CallerUnits::new);
    }

    /** The units of one caller. */
    private final class CallerUnits {

        private final String caller;

        /** The units that the caller may still take here. */
        private final Bucket own = bucket(limit);

        /** The units that other processes need not know of. It goes below zero while the caller takes more. */
        private final Bucket slow = bucket(slowLimit);

        private CallerUnits(String caller) {
            this.caller = caller;
        }

        private Bucket bucket(Bandwidth bandwidth) {
            return Bucket.builder()
                    .withCustomTimePrecision(time)
                    .addLimit(bandwidth)
                    .build();
        }

        private boolean tryTake() {
            boolean isTaken = own.tryConsume(1);
            if (isTaken) {
                share(1);
            }
            return isTaken;
        }

        private void take(int units) {
            own.consumeIgnoringRateLimits(units);
            share(units);
        }

        private void share(int units) {
            if (slow.consumeIgnoringRateLimits(units) > 0) {
                shared.take(caller, limit, units, this::lower);
            }
        }

        /** Takes units away that the caller has spent in other processes. */
        private synchronized void lower(long left) {
            long surplus = own.getAvailableTokens() - Math.max(left, -(long) DEBT_MAX_SECONDS * perSecond);
            if (surplus > 0) {
                own.consumeIgnoringRateLimits(surplus);
            }
        }
    }
}
