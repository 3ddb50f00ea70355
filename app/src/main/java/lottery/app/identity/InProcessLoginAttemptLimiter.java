package lottery.app.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import java.time.Duration;
import lottery.api.Refusal;
import lottery.api.RefusedException;

/** Limits what one address may try in vain, or may have sent. It is thread-safe; each process counts for itself. */
final class InProcessLoginAttemptLimiter {

    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final int ADDRESSES_MAX = 100_000;

    private final int perMinute;

    private final Cache<String, Bucket> buckets = Caffeine.newBuilder()
            .maximumSize(ADDRESSES_MAX)
            .expireAfterAccess(PERIOD)
            .build();

    InProcessLoginAttemptLimiter(int perMinute) {
        this.perMinute = perMinute;
    }

    /** Counts a try before it is made, so that tries at the same time are not free; refuses one too many. */
    void begin(String address) {
        if (!bucket(address).tryConsume(1)) {
            throw new RefusedException(Refusal.RATE_LIMITED, address);
        }
    }

    /** Forgets a try that was right. */
    void succeed(String address) {
        bucket(address).addTokens(1);
    }

    private Bucket bucket(String address) {
        return buckets.get(
                address,
                _ -> Bucket.builder()
                        .addLimit(limit -> limit.capacity(perMinute).refillGreedy(perMinute, PERIOD))
                        .build());
    }
}
