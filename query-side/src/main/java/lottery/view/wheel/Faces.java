package lottery.view.wheel;

import com.github.benmanes.caffeine.cache.CacheLoader;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import lottery.api.activity.ActivityId;
import lottery.view.AsOf;
import lottery.view.Together;
import lottery.view.activity.Activities;
import lottery.view.activity.Activity;
import lottery.view.stock.Shelf;
import lottery.view.stock.Stocks;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * The faces of the wheels that are asked for, in the memory of this process for as long as nobody could tell the
 * difference: a read model is never closer to its events than that is promised to be. One that is asked for again is
 * read again beside the questions, and never replaced by an older version of its strategy.
 */
@Component
class Faces implements DisposableBean {

    private static final long FACES_MAX = 1_000;

    private static final Duration FRESH = Duration.ofMillis(200);
    private static final Duration AGE_MAX = Duration.ofSeconds(1);

    /** Whoever asks for it is a question that waits for two of these, and is given up after two seconds itself. */
    private static final Duration FRESH_MAX = Duration.ofMillis(900);

    private final Activities activities;
    private final AwardRows rows;
    private final Stocks stocks;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("faces-", 0).factory());
    private final Together<ActivityId, Optional<Face>> fresh = new Together<>("fresh-faces", FRESH_MAX);
    private final LoadingCache<ActivityId, @Nullable Face> cache = Caffeine.newBuilder()
            .maximumSize(FACES_MAX)
            .refreshAfterWrite(FRESH)
            .expireAfterWrite(AGE_MAX)
            .executor(threads)
            .build(new Loader());

    Faces(Activities activities, AwardRows rows, Stocks stocks) {
        this.activities = activities;
        this.rows = rows;
        this.stocks = stocks;
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
                        activities.find(activityId).map(this::face)));
    }

    /** What is not there is not remembered either: it may come at any moment, and there is no end of it. */
    private final class Loader implements CacheLoader<ActivityId, @Nullable Face> {

        @Override
        public @Nullable Face load(ActivityId activityId) {
            return activities.find(activityId).map(Faces.this::face).orElse(null);
        }

        @Override
        public @Nullable Face reload(ActivityId activityId, @Nullable Face old) {
            Face now = load(activityId);
            return now != null && old != null && now.isBehind(old) ? old : now;
        }
    }

    private Face face(Activity activity) {
        Set<Integer> soldOut = stocks.of(activity.activityId()).stream()
                .filter(shelf -> shelf.kind() == Shelf.Kind.AWARD && shelf.isSoldOut())
                .map(shelf -> Math.toIntExact(shelf.number()))
                .collect(Collectors.toSet());
        List<AwardRow> awards = rows.newest(activity.strategyId().value());
        return new Face(
                activity,
                awards.stream().mapToInt(AwardRow::version).max().orElse(0),
                awards.stream()
                        .map(award -> award.place(soldOut.contains(award.awardId())))
                        .toList());
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
        fresh.close();
    }
}
