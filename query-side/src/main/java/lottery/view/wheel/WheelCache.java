package lottery.view.wheel;

import com.github.benmanes.caffeine.cache.CacheLoader;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import lottery.api.activity.ActivityId;
import lottery.view.Query;
import lottery.view.RequiredPositionHolder;
import lottery.view.SingleFlight;
import lottery.view.activity.RedisActivityReadModel;
import lottery.view.redis.RedisReadModelFactory;
import lottery.view.redis.RedisShortCache;
import lottery.view.stock.StockUsageReader;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Caches the shared wheels of activities in this process. A wheel lives for less time than a read model may be behind
 * its events. A wheel in use is read again in the background, from Redis first. It is never replaced by a wheel with an
 * older version of its strategy.
 */
@Component
class WheelCache implements DisposableBean {

    private static final long FACES_MAX = 1_000;

    private static final Duration FRESH = Duration.ofMillis(200);
    private static final Duration AGE_MAX = Duration.ofMillis(700);

    /**
     * The lifetime of the list of sold-out awards in Redis. Together with the lifetime of a wheel in this process, it
     * is one second.
     */
    private static final Duration SOLD_OUT_KEPT = Duration.ofMillis(300);

    /** The time limit of a fresh read. A query waits for at most two of them, and has a limit of two seconds itself. */
    private static final Duration FRESH_MAX = Duration.ofMillis(900);

    private record FindSharedWheel(ActivityId activityId) implements Query<Optional<SharedWheel>> {}

    private final RedisActivityReadModel activities;
    private final AwardListReadModel awards;
    private final RedisShortCache<ActivityId, SoldOutAwardIds> soldOut;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("wheels-", 0).factory());
    private final SingleFlight fresh = new SingleFlight("fresh-wheels", FRESH_MAX);
    private final LoadingCache<ActivityId, @Nullable SharedWheel> cache = Caffeine.newBuilder()
            .maximumSize(FACES_MAX)
            .refreshAfterWrite(FRESH)
            .expireAfterWrite(AGE_MAX)
            .executor(threads)
            .build(new Loader());

    WheelCache(
            RedisActivityReadModel activities,
            AwardListReadModel awards,
            StockUsageReader stocks,
            RedisReadModelFactory redis) {
        this.activities = activities;
        this.awards = awards;
        this.soldOut =
                redis.cache(SoldOutAwardIds.class, "sold-out", SOLD_OUT_KEPT, id -> SoldOutAwardIds.of(stocks.of(id)));
    }

    /** Returns the cached wheel, without a database query; empty if there is none, or if it is too old. */
    Optional<SharedWheel> known(ActivityId activityId) {
        return Optional.ofNullable(cache.getIfPresent(activityId));
    }

    /**
     * Returns the cached wheel, or reads it. A caller that has waited for a position gets a wheel that was read for
     * such callers. It does not replace the cached wheel, which is still young enough for other callers.
     */
    Optional<SharedWheel> find(ActivityId activityId) {
        return RequiredPositionHolder.position() > 0
                ? fresh.ask(new FindSharedWheel(activityId), query -> read(query.activityId()))
                : Optional.ofNullable(cache.get(activityId));
    }

    private Optional<SharedWheel> read(ActivityId activityId) {
        return activities.recent(activityId).map(activity -> {
            StrategyWheelAwards list = awards.find(activity);
            return new SharedWheel(
                    activity,
                    list.version(),
                    list.places(soldOut.find(activityId).awardIds(), activity.held()));
        });
    }

    /**
     * Loads wheels. The cache does not remember that an activity has no wheel. The activity may be created at any
     * moment, and callers can invent any number of ids.
     */
    private final class Loader implements CacheLoader<ActivityId, @Nullable SharedWheel> {

        @Override
        public @Nullable SharedWheel load(ActivityId activityId) {
            return read(activityId).orElse(null);
        }

        @Override
        public @Nullable SharedWheel reload(ActivityId activityId, @Nullable SharedWheel old) {
            SharedWheel now = load(activityId);
            return now != null && old != null && now.isBehind(old) ? old : now;
        }
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
        fresh.close();
    }
}
