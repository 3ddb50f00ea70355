package lottery.stock;

import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.springframework.stereotype.Component;

/** Loads stocks into Redis. It needs only the claims in PostgreSQL. */
@Component
class RedisStockLoader {

    private static final int ATTEMPTS_MAX = 3;

    /**
     * The interval at which a process looks whether another process has finished its load. The waiting process gives up
     * after a second.
     */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private static final int LOOKS_MAX = 50;

    private final RedisStockStore redis;
    private final StockClaimQueries claimQueries;
    private final RandomGenerator random;

    RedisStockLoader(RedisStockStore redis, StockClaimQueries claimQueries, RandomGenerator random) {
        this.redis = redis;
        this.claimQueries = claimQueries;
        this.random = random;
    }

    /** Loads a stock, and returns whether Redis has it now. */
    boolean load(String scope) throws RedisUnavailableException {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            String token = HexFormat.of().toHexDigits(random.nextLong());
            if (redis.beginLoading(scope, token)) {
                if (redis.store(scope, token, claimQueries.units(scope))) {
                    return true;
                }
            } else if (!isOtherDone(scope)) {
                return false;
            } else if (redis.contents(scope).isLoaded()) {
                return true;
            }
        }
        return false;
    }

    private boolean isOtherDone(String scope) throws RedisUnavailableException {
        for (int look = 0; look < LOOKS_MAX; look++) {
            if (!redis.isLoading(scope)) {
                return true;
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
        return false;
    }
}
