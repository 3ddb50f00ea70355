package lottery.view.redis;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.EventTrackerStatus;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Whether Redis is there and follows the events, asked twice a second, so that a question never waits for a Redis that
 * is known to be away.
 *
 * <p>The pulse is a key that lives for two seconds. The process whose processor writes the values renews it while that
 * processor goes on; every process feels it. After an outage Redis may come back with old values, but the pulse has
 * died, and nobody renews it before the writes that were missed are made up for. An outage of less than two seconds can
 * show a value that is that much too old; a read model is never closer to its events than that is promised to be.
 *
 * <p>A Redis that is slow is not felt either: PostgreSQL answers sooner.
 *
 * <p>The values have one processor with one segment, as all processors of the store have: with several segments each
 * would need a pulse of its own.
 */
@Component
class RedisPulse implements SmartLifecycle {

    static final String KEY = "lottery:view-pulse";

    private static final Logger LOG = LoggerFactory.getLogger(RedisPulse.class);

    private static final Duration BETWEEN_BEATS = Duration.ofMillis(500);
    private static final Duration LIFE = Duration.ofSeconds(2);

    /** Both questions of a beat. A row of PostgreSQL comes within a few milliseconds. */
    private static final Duration PROMPT_MAX = Duration.ofMillis(50);

    private static final Duration STOP_MAX = Duration.ofSeconds(2);

    private final StringRedisTemplate redis;

    /** What follows the log is made with this, and must be there before its processor is. */
    private final ObjectProvider<EventProcessingConfiguration> processors;

    private volatile boolean felt;
    private volatile boolean running;
    private ScheduledExecutorService beats = newThread();

    RedisPulse(StringRedisTemplate redis, ObjectProvider<EventProcessingConfiguration> processors) {
        this.redis = redis;
        this.processors = processors;
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
        felt = isPrompt();
        if (before != felt) {
            LOG.info(felt ? "Quotas and awards come from Redis." : "Quotas and awards come from PostgreSQL.");
        }
    }

    private boolean isPrompt() {
        FutureTask<Boolean> probe = new FutureTask<>(this::isAlive);
        Thread.ofVirtual().name("redis-probe").start(probe);
        try {
            return probe.get(PROMPT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException away) {
            LOG.debug("Redis does not answer in time.", away);
            return false;
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean isAlive() {
        if (isFollowing()) {
            redis.opsForValue().set(KEY, "1", LIFE);
        }
        return redis.hasKey(KEY);
    }

    /** A processor that waits after an error has given its segment back, and is caught up only after it goes on. */
    private boolean isFollowing() {
        Collection<EventTrackerStatus> segments = processors
                .getObject()
                .eventProcessor(RedisReadModels.GROUP, StreamingEventProcessor.class)
                .map(processor -> processor.processingStatus().values())
                .orElseThrow(() -> new IllegalStateException("nothing follows the log in Redis"));
        return !segments.isEmpty()
                && segments.stream().allMatch(segment -> segment.isCaughtUp() && !segment.isErrorState());
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
