package lottery.view.redis;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.api.AggregateId;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import lottery.store.loop.BackgroundLoop;
import lottery.store.memory.RedisFailureLog;
import lottery.store.processing.ProcessorPositionAwaiter;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Checks twice a second whether Redis answers, and whether its values follow the events. So no query waits for a Redis
 * that is known to be away.
 *
 * <p>The check uses a heartbeat key that lives for two seconds. The key is renewed by the process whose processor
 * writes the values, if that processor has handled all events up to the head at the previous beat. Every process reads
 * the key, and uses Redis only if the key exists.
 *
 * <p>After an outage Redis may come back with old values. By then the key has expired, and it is renewed only after the
 * missed writes were made. In an outage of less than two seconds the key can survive. A value can then be up to two
 * seconds behind its events. This is allowed, because no read model is promised to be closer to its events.
 *
 * <p>Before the first renewal, values of a log that PostgreSQL has lost are deleted ({@link RedisLogAnchor}).
 *
 * <p>A slow Redis counts as away, because PostgreSQL answers sooner.
 *
 * <p>The values are written by one processor with one segment, like all processors of the store. With several segments,
 * each segment would need a heartbeat of its own.
 */
@Component
class RedisFreshness implements SmartLifecycle {

    static final String KEY = "lottery:view-pulse";

    private static final Logger LOG = LoggerFactory.getLogger(RedisFreshness.class);

    private static final Duration BETWEEN_BEATS = Duration.ofMillis(500);
    private static final Duration LIFE = Duration.ofSeconds(2);

    /** How long a beat waits for the head of the log. */
    private static final Duration HEAD_WAIT_MAX = Duration.ofMillis(400);

    private final StringRedisTemplate redis;
    private final ProcessorPositionAwaiter positionAwaiter;
    private final EventStore events;
    private final RedisLogAnchor anchor;
    private final RedisFailureLog failures = new RedisFailureLog("quotas and awards");

    /**
     * The time limit of a beat's two requests to Redis. It is short, because PostgreSQL returns a row within a few
     * milliseconds.
     */
    private final Duration promptMax;

    private final Logs logs;

    /** Whether Redis follows each log. */
    private final List<LogFreshness> freshness;

    private final BackgroundLoop beats = new BackgroundLoop(
            "redis-freshness",
            BETWEEN_BEATS,
            this::beat,
            "It is unknown whether Redis follows the events: {}. Quotas and awards may come from PostgreSQL.");

    RedisFreshness(
            StringRedisTemplate redis,
            ProcessorPositionAwaiter positionAwaiter,
            EventStore events,
            RedisLogAnchor anchor,
            Logs logs,
            @Value("${lottery.redis.prompt-max:50ms}") Duration promptMax) {
        this.redis = redis;
        this.positionAwaiter = positionAwaiter;
        this.events = events;
        this.anchor = anchor;
        this.promptMax = promptMax;
        this.logs = logs;
        this.freshness = logs.all().stream().map(LogFreshness::new).toList();
    }

    /** Returns the key for a log. */
    static String keyOf(String key, Log log) {
        return log.isHome() ? key : key + ":" + log.name();
    }

    /** Returns whether the value of this aggregate is fresh, as all values of its log are. */
    boolean isFresh(AggregateId id) {
        return freshness.get(logs.of(id.text()).number()).fresh;
    }

    /**
     * Records that Redis has just failed to answer. Until the next successful beat no query asks Redis, so that no
     * other query has to wait for the same failure.
     */
    void lost() {
        freshness.forEach(each -> each.fresh = false);
    }

    private void beat() {
        @Nullable RuntimeException failure = null;
        for (LogFreshness each : freshness) {
            if (each.log.isAway()) {
                each.show(false);
                continue;
            }
            try {
                each.log.run(each::beat);
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Whether Redis follows one log. Only the thread of the beats writes the fields. */
    private final class LogFreshness {

        private final Log log;

        /** The head of the log at the previous beat. */
        private long headBefore = Long.MAX_VALUE;

        /** Whether Redis was named as the source last. */
        private boolean shownFresh;

        private volatile boolean fresh;

        LogFreshness(Log log) {
            this.log = log;
        }

        private void beat() {
            boolean follows;
            try {
                follows = isFollowing();
                if (follows) {
                    anchor.remember();
                }
            } catch (RuntimeException unknown) {
                show(false);
                throw unknown;
            }
            show(answered(promptMax, () -> isAlive(follows), false));
        }

        /** Sets where quotas and awards come from, and says so if that has changed since it was said last. */
        private void show(boolean isFresh) {
            fresh = isFresh;
            if (shownFresh != isFresh) {
                shownFresh = isFresh;
                LOG.info(
                        isFresh
                                ? "Quotas and awards come from Redis."
                                : "Quotas and awards come from PostgreSQL. Redis does not answer in time, or lacks the newest events.");
            }
        }

        /** Returns whether the processor of this process has handled all events up to the head at the previous beat. */
        private boolean isFollowing() {
            OptionalLong position = positionAwaiter.here(RedisReadModelFactory.GROUP);
            boolean follows = position.isPresent() && position.getAsLong() >= headBefore;
            headBefore =
                    position.isPresent() ? answered(HEAD_WAIT_MAX, () -> headOf(log), Long.MAX_VALUE) : Long.MAX_VALUE;
            return follows;
        }

        private boolean isAlive(boolean follows) {
            try {
                if (follows) {
                    redis.opsForValue().set(keyOf(KEY, log), "1", LIFE);
                }
                boolean isThere = redis.hasKey(keyOf(KEY, log));
                failures.answered();
                return isThere;
            } catch (DataAccessException away) {
                failures.failed(away);
                throw away;
            }
        }
    }

    private long headOf(Log log) {
        return log.call(() -> events.createHeadToken().position().orElse(0));
    }

    private static <T> T answered(Duration max, Callable<T> question, T otherwise) {
        FutureTask<T> probe = new FutureTask<>(question);
        Thread.ofVirtual().name("redis-probe").start(probe);
        try {
            return probe.get(max.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException away) {
            LOG.debug("Redis did not answer in time.", away);
            return otherwise;
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return otherwise;
        }
    }

    @Override
    public void start() {
        beats.start();
    }

    @Override
    public void stop() {
        beats.stop();
        lost();
    }

    @Override
    public boolean isRunning() {
        return beats.isRunning();
    }
}
