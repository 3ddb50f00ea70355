package lottery.view.redis;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.store.processing.ProcessorPositions;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Checks twice a second whether Redis is there and follows the events, so that a query never waits for a Redis that is
 * known to be away.
 *
 * <p>The pulse is a key that lives for two seconds. The process whose processor writes the values renews it while that
 * processor has handled everything that was in the log at the beat before; every process feels it. After an outage
 * Redis may come back with old values, but the pulse has died, and nobody renews it before the writes that were missed
 * are made up for. An outage of less than two seconds can show a value that is that much too old; a read model is never
 * closer to its events than that is promised to be.
 *
 * <p>A Redis that is slow is not felt either: PostgreSQL answers sooner.
 *
 * <p>The values have one processor with one segment, as all processors of the store have: with several segments each
 * would need a pulse of its own.
 */
@Component
class RedisFreshness implements SmartLifecycle {

    static final String KEY = "lottery:view-pulse";

    private static final Logger LOG = LoggerFactory.getLogger(RedisFreshness.class);

    private static final Duration BETWEEN_BEATS = Duration.ofMillis(500);
    private static final Duration LIFE = Duration.ofSeconds(2);

    /** How long a beat waits to learn where the log ends. */
    private static final Duration HEAD_WAIT_MAX = Duration.ofMillis(400);

    private static final Duration STOP_MAX = Duration.ofSeconds(2);

    private final StringRedisTemplate redis;
    private final ProcessorPositions reached;
    private final EventStore events;

    /** Both questions of a beat to Redis. A row of PostgreSQL comes within a few milliseconds. */
    private final Duration promptMax;

    /** Where the log ended at the beat before; only the thread of the beats knows it. */
    private long headBefore = Long.MAX_VALUE;

    private volatile boolean felt;
    private volatile boolean running;
    private ScheduledExecutorService beats = newThread();

    RedisFreshness(
            StringRedisTemplate redis,
            ProcessorPositions reached,
            EventStore events,
            @Value("${lottery.redis.prompt-max:50ms}") Duration promptMax) {
        this.redis = redis;
        this.reached = reached;
        this.events = events;
        this.promptMax = promptMax;
    }

    boolean isFelt() {
        return felt;
    }

    /** Redis has just failed to answer: nobody else shall find that out by waiting. */
    void lost() {
        felt = false;
    }

    private void beat() {
        boolean before = felt;
        boolean follows = isFollowing();
        felt = answered(promptMax, () -> isAlive(follows), false);
        if (before != felt) {
            LOG.info(felt ? "Quotas and awards come from Redis." : "Quotas and awards come from PostgreSQL.");
        }
    }

    /** Whether the processor of this process has handled what was in the log at the beat before. */
    private boolean isFollowing() {
        OptionalLong position = reached.here(RedisReadModels.GROUP);
        boolean follows = position.isPresent() && position.getAsLong() >= headBefore;
        headBefore = position.isPresent()
                ? answered(
                        HEAD_WAIT_MAX, () -> events.createHeadToken().position().orElse(0), Long.MAX_VALUE)
                : Long.MAX_VALUE;
        return follows;
    }

    private boolean isAlive(boolean follows) {
        if (follows) {
            redis.opsForValue().set(KEY, "1", LIFE);
        }
        return redis.hasKey(KEY);
    }

    private static <T> T answered(Duration max, Callable<T> question, T otherwise) {
        FutureTask<T> probe = new FutureTask<>(question);
        Thread.ofVirtual().name("redis-probe").start(probe);
        try {
            return probe.get(max.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException away) {
            LOG.debug("There is no answer in time.", away);
            return otherwise;
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return otherwise;
        }
    }

    private static ScheduledExecutorService newThread() {
        return Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("redis-pulse").daemon().factory());
    }

    @Override
    public synchronized void start() {
        if (beats.isShutdown()) {
            beats = newThread();
        }
        var _ = beats.scheduleWithFixedDelay(this::beat, 0, BETWEEN_BEATS.toMillis(), TimeUnit.MILLISECONDS);
        running = true;
    }

    @Override
    public synchronized void stop() {
        running = false;
        felt = false;
        beats.shutdownNow();
        try {
            if (!beats.awaitTermination(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("The pulse of Redis goes on although it was stopped.");
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
