package lottery.store.pace;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import lottery.store.memory.RedisFailureLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Blocks callers for some minutes if they were refused too often within a minute. All processes with the same Redis
 * know a block within two seconds. While Redis is unavailable, each process keeps the blocks that it knew and adds its
 * own.
 *
 * <p>It is thread-safe. To check a caller takes two map lookups and no network round trip.
 */
public final class CallerBlocklist implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(CallerBlocklist.class);

    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final Duration EXCHANGE_PAUSE = Duration.ofSeconds(1);
    private static final Duration STOP_MAX = Duration.ofSeconds(2);

    /** The most callers whose refusals are counted, and the most blocked callers. Each takes a kilobyte at most. */
    static final int CALLERS_MAX = 10_000;

    /**
     * The largest number of refusals that can be set as the limit. The time of each refusal is stored, and more times
     * would take too much memory for each caller.
     */
    private static final int REFUSALS_MAX = 1_000;

    /** The blocks that all processes share. Its methods fail while Redis does not answer. */
    interface SharedBlocks {

        /** Adds blocks, and removes blocks that have ended. */
        void add(Map<String, Instant> blocks, Instant now);

        void remove(Set<String> callers);

        /** Returns the blocks that hold at a time. If there are too many, it returns those that hold longest. */
        Map<String, Instant> read(Instant now);
    }

    private final SharedBlocks blocks;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final int refusalsMax;
    private final Duration length;
    private final RedisFailureLog failures = new RedisFailureLog("blocked players");

    private final Cache<String, RefusalTimes> counts = Caffeine.newBuilder()
            .maximumSize(CALLERS_MAX)
            .expireAfterAccess(WINDOW)
            .build();

    /** The blocks of this process that other processes do not know yet. */
    private final ConcurrentMap<String, Instant> own = new ConcurrentHashMap<>();

    /**
     * The times when blocks were lifted here. Another process may not know of the lift yet, and may still send a block
     * that it made earlier. Each time is kept until all such earlier blocks have ended.
     */
    private final Map<String, Instant> lifted = new HashMap<>();

    private volatile Map<String, Instant> shared = Map.of();
    private @Nullable ScheduledExecutorService exchanges;

    /**
     * @param refusalsMax how often a caller may be refused within a minute, at most 1,000; 0: no caller is blocked
     * @param length how long a block lasts
     */
    CallerBlocklist(SharedBlocks blocks, InstantSource clock, LongSupplier nanos, int refusalsMax, Duration length) {
        if (refusalsMax < 0 || refusalsMax > REFUSALS_MAX || length.isNegative()) {
            throw new IllegalArgumentException(
                    "a limit of refusals is not within 0 and " + REFUSALS_MAX + ", or a block is negative");
        }
        this.blocks = blocks;
        this.clock = clock;
        this.nanos = nanos;
        this.refusalsMax = refusalsMax;
        this.length = length;
    }

    /** The times of a caller's latest refusals. */
    private static final class RefusalTimes {

        private final long[] latest;
        private int next;
        private boolean isFull;

        private RefusalTimes(int count) {
            this.latest = new long[count];
        }

        /** Counts a refusal, and returns whether there were too many within the window. */
        private synchronized boolean isTooMany(long now) {
            boolean tooMany = isFull && now - latest[next] < WINDOW.toNanos();
            latest[next] = now;
            next = (next + 1) % latest.length;
            isFull |= next == 0;
            return tooMany;
        }
    }

    /** Counts a refusal of a caller, and blocks the caller if there were too many. */
    public void refused(String caller) {
        if (refusalsMax > 0
                && own.size() < CALLERS_MAX
                && counts.get(caller, _ -> new RefusalTimes(refusalsMax)).isTooMany(nanos.getAsLong())) {
            counts.invalidate(caller);
            if (until(caller).isEmpty()) {
                Instant until = clock.instant().plus(length);
                own.put(caller, until);
                LOG.info(
                        "The player {} was refused more than {} times in a minute, and is blocked until {}.",
                        caller,
                        refusalsMax,
                        until);
            }
        }
    }

    /** Returns until when a caller is blocked. */
    public Optional<Instant> until(String caller) {
        Instant mine = own.get(caller);
        Instant known = shared.get(caller);
        Instant until = mine == null || (known != null && known.isAfter(mine)) ? known : mine;
        return until == null || !clock.instant().isBefore(until) ? Optional.empty() : Optional.of(until);
    }

    /** Returns how long a caller has to wait; empty if the caller is not blocked. */
    public Optional<Duration> remaining(String caller) {
        return until(caller)
                .map(until -> Duration.between(clock.instant(), until))
                .filter(Duration::isPositive);
    }

    /** Returns all callers that are blocked now, each with the end of the block. */
    public Map<String, Instant> all() {
        Instant now = clock.instant();
        Map<String, Instant> all = merged(shared, own);
        all.values().removeIf(until -> !now.isBefore(until));
        return all;
    }

    /** Ends the block of a caller, and returns whether there was one, here or in another process. */
    public synchronized boolean unblock(String caller) {
        if (refusalsMax == 0) {
            return false;
        }
        exchange();
        counts.invalidate(caller);
        if (until(caller).isEmpty()) {
            return false;
        }
        own.remove(caller);
        shared = without(shared, Set.of(caller));
        lifted.put(caller, clock.instant());
        exchange();
        return true;
    }

    /**
     * Reads the changes of other processes, and then sends those of this process. The order matters if the memory of
     * Redis is full: Redis then still answers reads, and only the sending fails.
     */
    synchronized void exchange() {
        Instant now = clock.instant();
        own.values().removeIf(until -> !now.isBefore(until));
        lifted.values().removeIf(time -> !now.isBefore(time.plus(length)));
        try {
            Map<String, Instant> known = blocks.read(now);
            Set<String> undone = lifted.entrySet().stream()
                    .filter(lift -> isBefore(lift.getValue(), known.get(lift.getKey())))
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toSet());
            if (!undone.isEmpty()) {
                blocks.remove(undone);
            }
            shared = without(known, undone);
            Map<String, Instant> told = Map.copyOf(own);
            if (!told.isEmpty()) {
                blocks.add(told, now);
                shared = Map.copyOf(merged(shared, told));
                own.entrySet().removeAll(told.entrySet());
            }
            failures.answered();
        } catch (RuntimeException away) {
            failures.failed(away);
        }
    }

    /**
     * Returns whether a block was made before a time. The start is computed from the end of the block and the length of
     * blocks here.
     */
    private boolean isBefore(Instant time, @Nullable Instant until) {
        return until != null && !until.isAfter(time.plus(length));
    }

    /** Returns the blocks of both maps. A caller in both gets the later end. */
    private static Map<String, Instant> merged(Map<String, Instant> some, Map<String, Instant> others) {
        Map<String, Instant> all = new HashMap<>(some);
        others.forEach((caller, until) -> all.merge(caller, until, (one, two) -> one.isAfter(two) ? one : two));
        return all;
    }

    private static Map<String, Instant> without(Map<String, Instant> blocks, Set<String> callers) {
        Map<String, Instant> rest = new HashMap<>(blocks);
        rest.keySet().removeAll(callers);
        return Map.copyOf(rest);
    }

    @Override
    public synchronized void start() {
        if (exchanges == null && refusalsMax > 0) {
            exchanges = Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("blocked-callers").daemon().factory());
            var _ = exchanges.scheduleWithFixedDelay(
                    this::exchange, 0, EXCHANGE_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
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
                    LOG.info("The exchange of blocked players did not stop in time. It ends with the process.");
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
