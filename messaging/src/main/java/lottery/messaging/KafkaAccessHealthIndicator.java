package lottery.messaging;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.event.EventListener;
import org.springframework.kafka.event.ConsumerRetryAuthEvent;
import org.springframework.kafka.support.ProducerListener;

/**
 * Reports that Kafka refuses the login or a right of this process. The clients try again by themselves, so a refusal
 * makes the process neither unready nor dead: a restart would stop draws, and would be refused again.
 */
public final class KafkaAccessHealthIndicator implements HealthIndicator {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaAccessHealthIndicator.class);

    /**
     * How long a refusal counts. It is longer than the pauses of refused clients, which are refused again until then.
     */
    private static final Duration COUNTS = Duration.ofSeconds(30);

    private static final String ADVICE =
            "Kafka refuses this process. It tries again. Check its password, its certificate and its rights.";

    private final LongSupplier nanos;
    private final AtomicLong refusedNanos;

    public KafkaAccessHealthIndicator() {
        this(System::nanoTime);
    }

    KafkaAccessHealthIndicator(LongSupplier nanos) {
        this.nanos = nanos;
        this.refusedNanos = new AtomicLong(nanos.getAsLong() - COUNTS.toNanos());
    }

    /** Returns whether a failure of a client says that Kafka has refused a login or a right. */
    public static boolean isRefusal(Throwable failure) {
        return failure instanceof AuthenticationException || failure instanceof AuthorizationException;
    }

    /** Records a refusal, and logs it if it is the first one for some time. The client itself logs the cause. */
    @EventListener(ConsumerRetryAuthEvent.class)
    public void refused() {
        long now = nanos.getAsLong();
        if (!counts(refusedNanos.getAndSet(now), now)) {
            LOG.warn(ADVICE);
        }
    }

    /** Returns a listener that records the messages of a producer that Kafka refuses. */
    public <K, V> ProducerListener<K, V> listener() {
        return new ProducerListener<>() {

            @Override
            public void onError(
                    ProducerRecord<K, V> message, @Nullable RecordMetadata place, @Nullable Exception failure) {
                if (failure != null && isRefusal(failure)) {
                    refused();
                }
            }
        };
    }

    @Override
    public Health health() {
        return counts(refusedNanos.get(), nanos.getAsLong())
                ? Health.down().build()
                : Health.up().build();
    }

    private static boolean counts(long refused, long now) {
        return now - refused < COUNTS.toNanos();
    }
}
