package lottery;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.Optional;
import lottery.store.trace.Actor;

/**
 * Limits how fast a player spends chances, so that one player on many connections does not crowd out the others.
 * Callers who act for players have no limit here. It is thread-safe; each process counts for itself.
 */
final class PlayerRateLimiter {

    private static final Duration IDLE_MAX = Duration.ofMinutes(1);
    private static final int PLAYERS_MAX = 200_000;
    private static final int BURST_FACTOR = 2;

    private final int perSecond;

    private final Cache<String, Bucket> buckets = Caffeine.newBuilder()
            .maximumSize(PLAYERS_MAX)
            .expireAfterAccess(IDLE_MAX)
            .build();

    /** @param perSecond 0: there is no limit */
    PlayerRateLimiter(int perSecond) {
        this.perSecond = Math.max(0, perSecond);
    }

    /** Takes one unit for the player that this thread works for; returns false if there is none now. */
    boolean tryTake() {
        return bucket().map(bucket -> bucket.tryConsume(1)).orElse(true);
    }

    /** Takes units that were spent already; the player waits for them later. */
    void take(int units) {
        if (units > 0) {
            bucket().ifPresent(bucket -> bucket.consumeIgnoringRateLimits(units));
        }
    }

    private Optional<Bucket> bucket() {
        return Actor.current()
                .filter(actor -> perSecond > 0 && actor.scope().ownOnly())
                .map(actor -> buckets.get(actor.name(), _ -> fresh()));
    }

    private Bucket fresh() {
        return Bucket.builder()
                .addLimit(limit ->
                        limit.capacity((long) perSecond * BURST_FACTOR).refillGreedy(perSecond, Duration.ofSeconds(1)))
                .build();
    }
}
