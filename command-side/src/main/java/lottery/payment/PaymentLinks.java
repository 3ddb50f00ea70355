package lottery.payment;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import lottery.payment.PaymentProvider.PaymentDemand;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * The links by which users pay. Redis keeps a link for all processes as long as its payment waits. If it is lost, the
 * provider is asked again.
 */
@Component
class PaymentLinks {

    private static final Logger LOG = LoggerFactory.getLogger(PaymentLinks.class);

    /** The most links for which providers are asked at the same time. */
    private static final int AT_ONCE_MAX = 16;

    private static final int LATEST_MAX = 10_000;
    private static final Duration LATEST_AGE_MAX = Duration.ofMinutes(30);

    private final StringRedisTemplate redis;
    private final InstantSource clock;
    private final Semaphore places = new Semaphore(AT_ONCE_MAX);

    /** The links that this process has used lately, also without Redis. */
    private final Cache<String, String> latest = Caffeine.newBuilder()
            .maximumSize(LATEST_MAX)
            // With few bins, one slow call would hold the callers of other payments up.
            .initialCapacity(LATEST_MAX)
            .expireAfterWrite(LATEST_AGE_MAX)
            .build();

    PaymentLinks(StringRedisTemplate redis, InstantSource clock) {
        this.redis = redis;
        this.clock = clock;
    }

    /** Returns the text of the QR code of a payment that waits. If several callers want it, one of them asks. */
    String link(PaymentProvider provider, PaymentDemand demand) {
        String key = "payment-link:%s:%s".formatted(demand.paymentId().key(), provider.name());
        return latest.get(key, _ -> Objects.requireNonNullElseGet(find(key), () -> opened(key, provider, demand)));
    }

    private String opened(String key, PaymentProvider provider, PaymentDemand demand) {
        if (!places.tryAcquire()) {
            throw new PaymentProviderUnavailableException(
                    provider.name(), new IllegalStateException("it is asked for too many links"));
        }
        try {
            String opened = provider.open(demand);
            keep(key, opened, demand.expiresAt());
            return opened;
        } finally {
            places.release();
        }
    }

    private @Nullable String find(String key) {
        try {
            return redis.opsForValue().get(key);
        } catch (DataAccessException e) {
            LOG.debug("Redis does not say whether it has {}", key, e);
            return null;
        }
    }

    private void keep(String key, String link, Instant until) {
        Duration time = Duration.between(clock.instant(), until);
        if (time.isPositive()) {
            try {
                redis.opsForValue().set(key, link, time);
            } catch (DataAccessException e) {
                LOG.debug("Redis does not keep {}", key, e);
            }
        }
    }
}
