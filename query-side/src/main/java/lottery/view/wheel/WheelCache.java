package lottery.view.wheel;

import com.github.benmanes.caffeine.cache.CacheLoader;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import lottery.api.activity.ActivityId;
import lottery.view.RequiredPosition;
import lottery.view.SingleFlight;
import lottery.view.activity.ActivityFacts;
import lottery.view.activity.ActivityOverview;
import lottery.view.redis.RedisReadModels;
import lottery.view.redis.RedisShortCache;
import lottery.view.stock.StockLevels;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * The faces of the wheels that are asked for, in the memory of this process for as long as nobody could tell the
 * difference: a read model is never closer to its events than that is promised to be. One that is asked for again is
 * read again beside the questions, from Redis first, and never replaced by an older version of its strategy.
 */
@Component
class WheelCache implements DisposableBean {

    private static final long FACES_MAX = 1_000;

    private static final Duration FRESH = Duration.ofMillis(200);
    private static final Duration AGE_MAX = Duration.ofMillis(700);

    /** In Redis. With the time that it is kept here, that is a second. */
    private static final Duration SOLD_OUT_KEPT = Duration.ofMillis(300);

    /** Whoever asks for it is a question that waits for two of these, and is given up after two seconds itself. */
    private static final Duration FRESH_MAX = Duration.ofMillis(900);

    private final ActivityOverview activities;
    private final AwardListReadModel awards;
    private final RedisShortCache<ActivityId, SoldOutAwards> soldOut;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("faces-", 0).factory());
    private final SingleFlight<ActivityId, Optional<WheelLayout>> fresh = new SingleFlight<>("fresh-faces", FRESH_MAX);
    private final LoadingCache<ActivityId, @Nullable WheelLayout> cache = Caffeine.newBuilder()
            .maximumSize(FACES_MAX)
            .refreshAfterWrite(FRESH)
            .expireAfterWrite(AGE_MAX)
            .executor(threads)
            .build(new Loader());

    WheelCache(ActivityOverview activities, AwardListReadModel awards, StockLevels stocks, RedisReadModels redis) {
        this.activities = activities;
        this.awards = awards;
        this.soldOut =
                redis.cache(SoldOutAwards.class, "sold-out", SOLD_OUT_KEPT, id -> SoldOutAwards.of(stocks.of(id)));
    }

    /** Without a look at the database; empty if there is none, or if it is too old. */
    Optional<WheelLayout> known(ActivityId activityId) {
        return Optional.ofNullable(cache.getIfPresent(activityId));
    }

    Optional<WheelLayout> find(ActivityId activityId) {
        return Optional.ofNullable(cache.get(activityId));
    }

    /** What the rows say now, for those who ask so: what all share stays as it is, and is no older than it may be. */
    Optional<WheelLayout> fresh(ActivityId activityId) {
        return fresh.ask(
                activityId,
                RequiredPosition.position(),
                () -> CompletableFuture.completedFuture(
                        activities.find(activityId).map(this::storedFace)));
    }

    /** What is not there is not remembered either: it may come at any moment, and there is no end of it. */
    private final class Loader implements CacheLoader<ActivityId, @Nullable WheelLayout> {

        @Override
        public @Nullable WheelLayout load(ActivityId activityId) {
            return activities.recent(activityId).map(WheelCache.this::face).orElse(null);
        }

        @Override
        public @Nullable WheelLayout reload(ActivityId activityId, @Nullable WheelLayout old) {
            WheelLayout now = load(activityId);
            return now != null && old != null && now.isBehind(old) ? old : now;
        }
    }

    private WheelLayout face(ActivityFacts activity) {
        return face(activity, awards.find(activity.strategyId()), soldOut.find(activity.activityId()));
    }

    private static WheelLayout face(ActivityFacts activity, AwardList list, SoldOutAwards soldOut) {
        return new WheelLayout(activity, list.version(), list.places(soldOut.awardIds()));
    }

    private WheelLayout storedFace(ActivityFacts activity) {
        return face(activity, awards.stored(activity.strategyId()), soldOut.stored(activity.activityId()));
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
        fresh.close();
    }
}
