package lottery.view.figures;

import static java.util.stream.Gatherers.windowFixed;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.store.loop.BackgroundLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Counts the users whose wheel was looked at, each once in an activity, to within about one percent. Looks are no
 * events: the count is kept only in Redis, as a HyperLogLog of at most 12 kilobytes, and begins again if Redis has lost
 * it.
 */
@Component
public class VisitorCounter {

    private static final Logger LOG = LoggerFactory.getLogger(VisitorCounter.class);

    private static final Duration BETWEEN_WRITES = Duration.ofSeconds(1);

    /** How many looks are kept in memory. While Redis is away, further ones are not counted. */
    private static final int WAITING_MAX = 100_000;

    private static final int TOGETHER_MAX = 1_000;

    private final StringRedisTemplate redis;
    private final Map<ActivityId, Set<String>> waiting = new ConcurrentHashMap<>();
    private final AtomicInteger waitingUsers = new AtomicInteger();

    VisitorCounter(StringRedisTemplate redis) {
        this.redis = redis;
    }

    @Bean
    BackgroundLoop visitorCounterLoop() {
        return new BackgroundLoop("visitor-counter", BETWEEN_WRITES, this::write, "Visitors could not be counted: {}.");
    }

    /** Notes that the user looks at the activity now. It is counted a moment later, and never fails. */
    public void note(AccountId account) {
        if (waitingUsers.get() < WAITING_MAX
                && waiting.computeIfAbsent(account.activityId(), _ -> ConcurrentHashMap.newKeySet())
                        .add(account.userId().value())) {
            waitingUsers.incrementAndGet();
        }
    }

    /** Writes what waits, in commands that are short enough for the time limit of Redis. */
    void write() {
        waiting.forEach((activityId, users) -> users.stream()
                .gather(windowFixed(TOGETHER_MAX))
                .forEach(looked -> {
                    redis.opsForHyperLogLog().add(key(activityId), looked.toArray(String[]::new));
                    looked.forEach(users::remove);
                    waitingUsers.addAndGet(-looked.size());
                }));
    }

    private static String key(ActivityId activityId) {
        return "lottery:visitors:" + activityId.value();
    }

    /** Returns about how many users have looked at the activity; empty while Redis does not answer. */
    OptionalLong count(ActivityId activityId) {
        try {
            return OptionalLong.of(redis.opsForHyperLogLog().size(key(activityId)));
        } catch (DataAccessException e) {
            LOG.debug("The visitors of {} are unknown now.", activityId, e);
            return OptionalLong.empty();
        }
    }
}
