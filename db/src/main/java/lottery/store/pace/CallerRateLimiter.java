package lottery.store.pace;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Limits how many units each caller takes per second. A caller who took no units for a while may take the units of two
 * seconds at once. Units that a caller takes in other processes count here, too, but up to two seconds later
 * ({@link RateLimitExchange}).
 *
 * <p>It is thread-safe. A unit costs two map lookups and no network round trip.
 */
public final class CallerRateLimiter {

    private static final Duration IDLE_MAX = Duration.ofMinutes(1);
    private static final int CALLERS_MAX = 200_000;
    private static final int BURST_FACTOR = 2;

    /** The longest time for which units from other processes delay a caller here. */
    private static final int DEBT_MAX_SECONDS = 4;

    /** The most callers whose units are remembered for the other processes. */
    private static final int TOLD_MAX = 20_000;

    private final int perSecond;
    private final TimeMeter time;

    private final Cache<String, Bucket> buckets = Caffeine.newBuilder()
            .maximumSize(CALLERS_MAX)
            .expireAfterAccess(IDLE_MAX)
            .build();

    /** The units that callers have taken here since the last call of {@link #takenSinceLastAsked}. */
    private volatile ConcurrentHashMap<String, Integer> taken = new ConcurrentHashMap<>();

    /** @param perSecond how many units each caller may take per second; 0: there is no limit */
    public CallerRateLimiter(int perSecond) {
        this(perSecond, TimeMeter.SYSTEM_MILLISECONDS);
    }

    CallerRateLimiter(int perSecond, TimeMeter time) {
        this.perSecond = Math.max(0, perSecond);
        this.time = time;
    }

    /** Takes a unit for a caller; returns false if there is none now. */
    public boolean tryTake(String caller) {
        if (perSecond == 0) {
            return true;
        }
        boolean isTaken = bucket(caller).tryConsume(1);
        if (isTaken) {
            remember(caller, 1);
        }
        return isTaken;
    }

    /**
     * Takes units that the caller has spent already, even beyond the limit. The caller then waits longer for its next
     * unit.
     */
    public void take(String caller, int units) {
        if (perSecond > 0 && units > 0) {
            bucket(caller).consumeIgnoringRateLimits(units);
            remember(caller, units);
        }
    }

    private void remember(String caller, int units) {
        ConcurrentHashMap<String, Integer> latest = taken;
        if (latest.containsKey(caller) || latest.mappingCount() < TOLD_MAX) {
            latest.merge(caller, units, Integer::sum);
        }
    }

    /** Counts units that a caller has taken in another process. */
    void takenElsewhere(String caller, int units) {
        if (perSecond > 0 && units > 0) {
            Bucket bucket = bucket(caller);
            long counted = Math.min(units, bucket.getAvailableTokens() + (long) DEBT_MAX_SECONDS * perSecond);
            if (counted > 0) {
                bucket.consumeIgnoringRateLimits(counted);
            }
        }
    }

    /**
     * Returns how many units callers have taken here since the last call. A unit that is taken during the call may be
     * left out.
     */
    Map<String, Integer> takenSinceLastAsked() {
        Map<String, Integer> latest = taken;
        taken = new ConcurrentHashMap<>();
        return latest;
    }

    int perSecond() {
        return perSecond;
    }

    private Bucket bucket(String caller) {
        return buckets.get(caller, _ -> fresh());
    }

    private Bucket fresh() {
        return Bucket.builder()
                .withCustomTimePrecision(time)
                .addLimit(limit ->
                        limit.capacity((long) perSecond * BURST_FACTOR).refillGreedy(perSecond, Duration.ofSeconds(1)))
                .build();
    }
}
