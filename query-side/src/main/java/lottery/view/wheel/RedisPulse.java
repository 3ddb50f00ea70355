package lottery.view.wheel;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.EventTrackerStatus;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Whether Redis is there and follows the events, asked twice a second, so that a question never waits for a Redis that
 * is known to be away.
 *
 * <p>The pulse is a key that lives for two seconds. The process whose processor writes the counts renews it while that
 * processor goes on; every process feels it. After an outage Redis may come back with old counts, but the pulse has
 * died, and nobody renews it before the writes that were missed are made up for. An outage of less than two seconds can
 * show a count that is that much too old; a read model is never closer to its events than that is promised to be.
 *
 * <p>The counts have one processor with one segment, which is what {@code initialSegmentCount} of the store says: with
 * several segments each would need a pulse of its own.
 */
@Component
class RedisPulse implements SmartLifecycle {

    static final String KEY = "lottery:draws-today-pulse";

    private static final Logger LOG = LoggerFactory.getLogger(RedisPulse.class);

    private static final Duration BETWEEN_BEATS = Duration.ofMillis(500);
    private static final Duration LIFE = Duration.ofSeconds(2);
    private static final Duration STOP_MAX = Duration.ofSeconds(2);

    private final StringRedisTemplate redis;
    private final EventProcessingConfiguration processors;
    private volatile boolean felt;
    private volatile boolean running;
    private ScheduledExecutorService beats = newThread();

    RedisPulse(StringRedisTemplate redis, EventProcessingConfiguration processors) {
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
        try {
            if (isFollowing()) {
                redis.opsForValue().set(KEY, "1", LIFE);
            }
            felt = redis.hasKey(KEY);
        } catch (RuntimeException away) {
            felt = false;
            LOG.debug("Redis does not answer.", away);
        }
        if (before != felt) {
            LOG.info(felt ? "Draws of today come from Redis." : "Draws of today come from PostgreSQL.");
        }
    }

    /** A processor that waits after an error has given its segment back, and is caught up only after it goes on. */
    private boolean isFollowing() {
        Collection<EventTrackerStatus> segments = processors
                .eventProcessor(DrawsTodayProjection.GROUP, StreamingEventProcessor.class)
                .map(processor -> processor.processingStatus().values())
                .orElseThrow(() -> new IllegalStateException("nothing follows the draws of today"));
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
