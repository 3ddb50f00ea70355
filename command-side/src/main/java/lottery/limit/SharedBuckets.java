package lottery.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.DelayParameters;
import io.github.bucket4j.distributed.proxy.optimization.NopeOptimizationListener;
import io.github.bucket4j.distributed.proxy.optimization.delay.DelayOptimization;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import lottery.store.memory.RedisFailureLog;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * The buckets of callers that all processes with the same Redis share. No caller waits for Redis: units are counted
 * there after they were taken. While Redis is unavailable, they are not counted. It is thread-safe.
 */
public final class SharedBuckets {

    /** The beginning of all keys. The name of the limit, its rate and the caller follow. */
    static final String KEY = "lottery:limit:";

    private static final Duration ANSWER_MAX = Duration.ofMillis(200);

    /** How long Redis is left alone after it has failed, so that few threads wait for it. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** How long Redis keeps a bucket that is full again. */
    private static final Duration KEPT_FULL = Duration.ofSeconds(1);

    /** After this time, the next units of a caller are counted in Redis at once. */
    private static final Duration DELAY_MAX = Duration.ofSeconds(1);

    private static final Duration IDLE_MAX = Duration.ofMinutes(1);
    private static final int CALLERS_MAX = 20_000;

    private final TimeMeter time;
    private final Executor background;
    private final RedisConnectionFactory connections;
    private final RedisFailureLog failures = new RedisFailureLog("rate limits");
    private volatile SingletonSupplier<ProxyManager<byte[]>> redis;
    private volatile long pausedUntilNanos;

    private final Cache<String, BucketProxy> buckets = Caffeine.newBuilder()
            .maximumSize(CALLERS_MAX)
            .expireAfterAccess(IDLE_MAX)
            .build();

    public SharedBuckets(RedisConnectionFactory connections) {
        this(connections, TimeMeter.SYSTEM_MILLISECONDS, Thread::startVirtualThread);
    }

    /** @param background counts units in Redis, which may take as long as a connection */
    SharedBuckets(RedisConnectionFactory connections, TimeMeter time, Executor background) {
        this.time = time;
        this.background = background;
        this.connections = connections;
        this.redis = connection();
    }

    /** Returns a connection that begins with the first units, because Redis may be away when the process starts. */
    private SingletonSupplier<ProxyManager<byte[]>> connection() {
        return SingletonSupplier.of(() -> Bucket4jLettuce.casBasedBuilder(commands(connections))
                .clientClock(time)
                .requestTimeout(ANSWER_MAX)
                .expirationAfterWrite(ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(KEPT_FULL))
                .build());
    }

    private boolean isPaused() {
        return time.currentTimeNanos() < pausedUntilNanos;
    }

    /** Returns the commands of the one connection that all users of Redis share. It connects again by itself. */
    @SuppressWarnings("unchecked")
    private static RedisAsyncCommands<byte[], byte[]> commands(RedisConnectionFactory connections) {
        try (RedisConnection connection = connections.getConnection()) {
            return (RedisAsyncCommands<byte[], byte[]>) connection.getNativeConnection();
        }
    }

    /**
     * Returns a limit that counts the units of a caller in all processes.
     *
     * @param name the name of the limit, which is the same in all processes
     * @param perSecond how many units each caller may take per second; 0: there is no limit
     */
    public CallerRateLimiter limiter(String name, int perSecond) {
        String prefix = KEY + name + ":" + perSecond + ":";
        return new CallerRateLimiter(
                perSecond, time, (caller, limit, units, left) -> take(prefix + caller, limit, units, left));
    }

    private void take(String key, Bandwidth limit, int units, LongConsumer left) {
        if (!isPaused()) {
            background.execute(() -> {
                // Units that waited for the same attempt to connect do not try it again, one after the other.
                if (isPaused()) {
                    return;
                }
                try {
                    left.accept(buckets.get(key, _ -> bucket(key, limit))
                            .asVerbose()
                            .consumeIgnoringRateLimits(units)
                            .getDiagnostics()
                            .getAvailableTokens());
                    failures.answered();
                } catch (RuntimeException away) {
                    pausedUntilNanos = time.currentTimeNanos() + PAUSE.toNanos();
                    failures.failed(away);
                    // The connection may have been replaced.
                    redis = connection();
                    buckets.invalidateAll();
                }
            });
        }
    }

    /** Returns a bucket that asks Redis again after the units of a quarter of a second, or after a second. */
    private BucketProxy bucket(String key, Bandwidth limit) {
        BucketConfiguration configuration =
                BucketConfiguration.builder().addLimit(limit).build();
        long unitsMax = Math.max(1, limit.getRefillTokens() / 4);
        return redis.obtain()
                .builder()
                .withOptimization(new DelayOptimization(
                        new DelayParameters(unitsMax, DELAY_MAX), NopeOptimizationListener.INSTANCE, time))
                .build(key.getBytes(StandardCharsets.UTF_8), () -> configuration);
    }
}
