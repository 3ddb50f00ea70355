package lottery.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.security.RateLimitAddress;

/**
 * Limits how many failed attempts one address may make per minute, or how many codes are issued for one address or
 * account. All addresses of a network together have a limit, too, because a caller may have a whole network. This class
 * is thread-safe. Each process counts separately.
 */
final class InProcessLoginAttemptLimiter {

    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final int ADDRESSES_MAX = 100_000;

    /** How many times as much as one address a network may do. */
    private static final int NETWORK_FACTOR = 4;

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
        for (Bucket bucket : buckets(address)) {
            if (!bucket.tryConsume(1)) {
                throw new RefusedException(Refusal.RATE_LIMITED, address);
            }
        }
    }

    /** Takes back the count of a successful attempt. */
    void succeed(String address) {
        buckets(address).forEach(bucket -> bucket.addTokens(1));
    }

    /** Returns the buckets of an address and of its networks. */
    private List<Bucket> buckets(String address) {
        List<Bucket> all = new ArrayList<>();
        all.add(bucket(address, perMinute));
        int more = perMinute;
        for (String network : RateLimitAddress.networksOf(address)) {
            more *= NETWORK_FACTOR;
            all.add(bucket(network, more));
        }
        return all;
    }

    private Bucket bucket(String key, int most) {
        return buckets.get(
                key,
                _ -> Bucket.builder()
                        .addLimit(limit -> limit.capacity(most).refillGreedy(most, PERIOD))
                        .build());
    }
}
