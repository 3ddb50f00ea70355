package lottery.payment;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import lottery.payment.PaymentProvider.PaymentDemand;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * The links by which users pay. Redis keeps a link as long as its payment waits. If Redis has lost it, the provider is
 * asked again.
 */
@Component
class PaymentLinks {

    private static final Logger LOG = LoggerFactory.getLogger(PaymentLinks.class);

    private final StringRedisTemplate redis;
    private final InstantSource clock;

    PaymentLinks(StringRedisTemplate redis, InstantSource clock) {
        this.redis = redis;
        this.clock = clock;
    }

    /** Returns the text of the QR code of a payment that waits. */
    String link(PaymentProvider provider, PaymentDemand demand) {
        String key = "payment-link:%s:%s".formatted(demand.paymentId().key(), provider.name());
        String known = find(key);
        if (known != null) {
            return known;
        }
        String opened = provider.open(demand);
        keep(key, opened, demand.expiresAt());
        return opened;
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
