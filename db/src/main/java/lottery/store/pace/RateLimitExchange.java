package lottery.store.pace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import lottery.store.memory.RedisFailureLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Makes each rate limit count the units of all processes with the same Redis. Once a second, each process tells the
 * others which callers have taken many units. While Redis is unavailable, each process limits on its own. The class is
 * thread-safe.
 */
public final class RateLimitExchange implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(RateLimitExchange.class);

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration STOP_MAX = Duration.ofSeconds(2);

    /**
     * The share of the rate above which a caller is reported to the other processes. If there are more than 1 / 0.25 =
     * 4 processes, a caller can stay below this share in each of them and still exceed the rate.
     */
    private static final double TOLD_SHARE = 0.25;

    /** The most callers of each limit that are reported at once. The callers who took most are reported. */
    private static final int CALLERS_MAX = 500;

    /**
     * The longest name of a caller that is reported. The name comes from a token or a proxy's header and may have any
     * length.
     */
    private static final int NAME_LENGTH_MAX = 200;

    /** The channel between processes. Its method fails while Redis does not answer. */
    interface SharedUnits {

        /**
         * Sends the units that were taken here, and returns the units that other processes have sent since the last
         * call.
         */
        List<TakenUnits> exchange(List<TakenUnits> units);
    }

    /**
     * The units that a caller has taken.
     *
     * @param limit the name of the limit
     */
    record TakenUnits(String limit, String caller, int units) {}

    private final SharedUnits shared;
    private final ConcurrentMap<String, CallerRateLimiter> limiters = new ConcurrentHashMap<>();
    private final RedisFailureLog failures = new RedisFailureLog("rate limits");
    private @Nullable ScheduledExecutorService exchanges;

    RateLimitExchange(SharedUnits shared) {
        this.shared = shared;
    }

    /**
     * Shares a limit with the other processes.
     *
     * @param name the name of the limit, which is the same in all processes and has no colon
     */
    public void share(String name, CallerRateLimiter limiter) {
        if (limiters.putIfAbsent(name, limiter) != null) {
            throw new IllegalStateException("two limits have the name " + name);
        }
    }

    /** Tells the other processes who has taken many units here, and counts the units that they have reported. */
    void exchange() {
        List<TakenUnits> units = new ArrayList<>();
        limiters.forEach((name, limiter) -> limiter.takenSinceLastAsked().entrySet().stream()
                .filter(taken -> taken.getValue() > TOLD_SHARE * limiter.perSecond()
                        && taken.getKey().length() <= NAME_LENGTH_MAX)
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(CALLERS_MAX)
                .forEach(taken -> units.add(new TakenUnits(name, taken.getKey(), taken.getValue()))));
        try {
            for (TakenUnits told : shared.exchange(units)) {
                CallerRateLimiter limiter = limiters.get(told.limit());
                if (limiter != null) {
                    limiter.takenElsewhere(told.caller(), told.units());
                }
            }
            failures.answered();
        } catch (RuntimeException away) {
            failures.failed(away);
        }
    }

    private void exchangeOrTell() {
        try {
            exchange();
        } catch (Error e) {
            LOG.error(
                    "The exchange of rate limits has ended. This process counts only its own requests, so that callers"
                            + " may get more than their limit: restart it.",
                    e);
            throw e;
        }
    }

    @Override
    public synchronized void start() {
        boolean isLimited = limiters.values().stream().anyMatch(limiter -> limiter.perSecond() > 0);
        if (exchanges == null && isLimited) {
            exchanges = Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("rate-limits").daemon().factory());
            var _ = exchanges.scheduleWithFixedDelay(this::exchangeOrTell, 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void stop() {
        ScheduledExecutorService running;
        synchronized (this) {
            running = exchanges;
            exchanges = null;
        }
        if (running != null) {
            running.shutdownNow();
            try {
                if (!running.awaitTermination(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                    LOG.info("The exchange of rate limits did not stop in time. It ends with the process.");
                }
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return exchanges != null;
    }
}
