package lottery.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import java.time.Duration;
import lottery.api.Refusal;
import lottery.api.RefusedException;

/**
 * Limits how many failed attempts one address may make per minute, or how many codes are issued for one address or
 * account. This class is thread-safe. Each process counts separately.
 */
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

    /**
     * Counts an attempt before it is made, so that simultaneous attempts count, too. Refuses the attempt if there were
     * too many in the last minute.
     */
    void begin(String address) {
        if (!bucket(address).tryConsume(1)) {
            throw new RefusedException(Refusal.RATE_LIMITED, address);
        }
    }

    /** Takes back the count of a successful attempt. */
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
