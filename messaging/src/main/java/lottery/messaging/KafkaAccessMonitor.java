package lottery.messaging;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;

/**
 * Knows whether Kafka refuses the clients of this process. It logs the first refusal with Kafka's cause, and later logs
 * when no client is refused any more. It is thread-safe.
 */
public final class KafkaAccessMonitor {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaAccessMonitor.class);

    /** How long the same cause is not logged again. */
    private static final Duration SILENCE = Duration.ofMinutes(1);

    /**
     * How many polls have to succeed before a refused consumer counts as accepted. A refused consumer connects again
     * after a pause, and until then its polls are empty but succeed.
     */
    private static final int POLLS_MIN = 5;

    /** The most causes that are remembered. Kafka has fewer. */
    private static final int CAUSES_MAX = 50;

    private final LongSupplier nanos;
    private final Set<MonitoredClient> refused = new HashSet<>();
    private final Map<String, Long> told = new HashMap<>();
    private boolean isTold;

    KafkaAccessMonitor() {
        this(System::nanoTime);
    }

    KafkaAccessMonitor(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Returns whether the failure or one of its causes says that Kafka has refused a login or a right. */
    public static boolean isRefusal(@Nullable Throwable failure) {
        return refusalIn(failure).isPresent();
    }

    /** Returns whether Kafka has refused the client itself, not only a right on a topic or a group. */
    static boolean isRefusedClient(Throwable failure) {
        return refusalIn(failure)
                .filter(cause ->
                        cause instanceof AuthenticationException || cause instanceof ClusterAuthorizationException)
                .isPresent();
    }

    /** Watches the producers of a factory, and replaces a producer that Kafka refuses. */
    public <K, V> void watch(DefaultKafkaProducerFactory<K, V> factory) {
        RenewableProducer.renew(factory, producer());
    }

    /** Watches the consumers of a factory. */
    <K, V> void watch(DefaultKafkaConsumerFactory<K, V> factory) {
        factory.addPostProcessor(consumer -> AccessRefusalDetectingConsumer.of(consumer, this));
    }

    private static Optional<Throwable> refusalIn(@Nullable Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(CAUSES_MAX)
                .filter(cause -> cause instanceof AuthenticationException || cause instanceof AuthorizationException)
                .findFirst();
    }

    /**
     * Returns a new state for a consumer. The state soon tells whether Kafka accepts the consumer again, because a
     * consumer polls all the time.
     */
    MonitoredClient consumer() {
        return new MonitoredClient(POLLS_MIN, true);
    }

    /**
     * Returns a new state for the producers of a factory. Refused producers do not make the process count as refused.
     * They may have nothing to send, and would then never count as accepted again.
     */
    MonitoredClient producer() {
        return new MonitoredClient(1, false);
    }

    private void refused(MonitoredClient client, Throwable cause) {
        if (client.isAwaited) {
            refused.add(client);
        }
        String text = KafkaDeadLetterConfiguration.causeOf(cause);
        Long before = told.get(text);
        long now = nanos.getAsLong();
        boolean isDue = before == null ? told.size() < CAUSES_MAX : now - before >= SILENCE.toNanos();
        if (isDue) {
            told.put(text, now);
            isTold = true;
            LOG.warn(
                    "Kafka refuses this process: {}. It tries again. Check its password, its certificate and its rights.",
                    text);
        }
    }

    private void accepted(MonitoredClient client) {
        refused.remove(client);
        if (isTold && refused.isEmpty()) {
            isTold = false;
            LOG.info("Kafka lets this process in.");
        }
    }

    /** Whether Kafka refuses one client, as far as this process knows. */
    final class MonitoredClient {

        private final int answersMin;
        private final boolean isAwaited;
        private int answers;

        /**
         * @param answersMin how many calls have to succeed after a refusal until the client counts as accepted
         * @param isAwaited whether the process counts as refused as long as this client is refused
         */
        private MonitoredClient(int answersMin, boolean isAwaited) {
            this.answersMin = answersMin;
            this.isAwaited = isAwaited;
        }

        /** Records a failure, and returns whether it is a refusal. */
        boolean failed(@Nullable Throwable failure) {
            Optional<Throwable> refusal = refusalIn(failure);
            refusal.ifPresent(cause -> {
                synchronized (KafkaAccessMonitor.this) {
                    answers = 0;
                    refused(this, cause);
                }
            });
            return refusal.isPresent();
        }

        void answered() {
            synchronized (KafkaAccessMonitor.this) {
                if (answers < answersMin && ++answers == answersMin) {
                    accepted(this);
                }
            }
        }

        /** Forgets a client that is not used any more. This does not count as an acceptance of other clients. */
        void closed() {
            synchronized (KafkaAccessMonitor.this) {
                refused.remove(this);
            }
        }
    }
}
