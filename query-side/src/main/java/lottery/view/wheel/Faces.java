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
import lottery.view.AsOf;
import lottery.view.Together;
import lottery.view.activity.Activities;
import lottery.view.activity.Activity;
import lottery.view.redis.RedisReadModels;
import lottery.view.redis.RedisShortCache;
import lottery.view.stock.Stocks;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * The faces of the wheels that are asked for, in the memory of this process for as long as nobody could tell the
 * difference: a read model is never closer to its events than that is promised to be. One that is asked for again is
 * read again beside the questions, from Redis first, and never replaced by an older version of its strategy.
 */
@Component
class Faces implements DisposableBean {

    private static final long FACES_MAX = 1_000;

    private static final Duration FRESH = Duration.ofMillis(200);
    private static final Duration AGE_MAX = Duration.ofMillis(700);

    /** In Redis. With the time that it is kept here, that is a second. */
    private static final Duration SOLD_OUT_KEPT = Duration.ofMillis(300);

    /** Whoever asks for it is a question that waits for two of these, and is given up after two seconds itself. */
    private static final Duration FRESH_MAX = Duration.ofMillis(900);

    private final Activities activities;
    private final AwardLists awards;
    private final RedisShortCache<ActivityId, SoldOut> soldOut;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("faces-", 0).factory());
    private final Together<ActivityId, Optional<Face>> fresh = new Together<>("fresh-faces", FRESH_MAX);
    private final LoadingCache<ActivityId, @Nullable Face> cache = Caffeine.newBuilder()
            .maximumSize(FACES_MAX)
            .refreshAfterWrite(FRESH)
            .expireAfterWrite(AGE_MAX)
            .executor(threads)
            .build(new Loader());

    Faces(Activities activities, AwardLists awards, Stocks stocks, RedisReadModels redis) {
        this.activities = activities;
        this.awards = awards;
        this.soldOut = redis.cache(SoldOut.class, "sold-out", SOLD_OUT_KEPT, id -> SoldOut.of(stocks.of(id)));
    }

    /** Without a look at the database; empty if there is none, or if it is too old. */
    Optional<Face> known(ActivityId activityId) {
        return Optional.ofNullable(cache.getIfPresent(activityId));
    }

    Optional<Face> find(ActivityId activityId) {
        return Optional.ofNullable(cache.get(activityId));
    }

    /** What the rows say now, for those who ask so: what all share stays as it is, and is no older than it may be. */
    Optional<Face> fresh(ActivityId activityId) {
        return fresh.ask(
                activityId,
                AsOf.position(),
                () -> CompletableFuture.completedFuture(
                        activities.find(activityId).map(this::storedFace)));
    }

    /** What is not there is not remembered either: it may come at any moment, and there is no end of it. */
    private final class Loader implements CacheLoader<ActivityId, @Nullable Face> {

        @Override
        public @Nullable Face load(ActivityId activityId) {
            return activities.recent(activityId).map(Faces.this::face).orElse(null);
        }

        @Override
        public @Nullable Face reload(ActivityId activityId, @Nullable Face old) {
            Face now = load(activityId);
            return now != null && old != null && now.isBehind(old) ? old : now;
        }
    }

    private Face face(Activity activity) {
        return face(activity, awards.find(activity.strategyId()), soldOut.find(activity.activityId()));
    }

    private static Face face(Activity activity, AwardList list, SoldOut soldOut) {
        return new Face(activity, list.version(), list.places(soldOut.awardIds()));
    }

    private Face storedFace(Activity activity) {
        return face(activity, awards.stored(activity.strategyId()), soldOut.stored(activity.activityId()));
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
        fresh.close();
    }
}
