package lottery.messaging;

import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.ProducerPostProcessor;

/**
 * Gives senders only producers that Kafka has let in. An idempotent producer whose login is refused before it has its
 * producer id never asks for the id again, and all its messages expire. Later refusals do no lasting harm to it. So a
 * new producer that Kafka refuses, or that does not reach Kafka, is closed, and its sender fails. The sender tries
 * again and gets another producer.
 *
 * <p>After a failure the next producers fail at once for some seconds. So senders that wait for each other here wait
 * for one producer only, and Kafka does not see one refused login after the other.
 */
public final class ProducerLogin<K, V> implements ProducerPostProcessor<K, V> {

    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final String topic;
    private final int attempts;
    private final KafkaAccessHealthIndicator access;
    private @Nullable KafkaException failure;
    private long failedNanos;

    /**
     * Creates the login of the producers of one factory.
     *
     * @param topic a topic to which the producers send
     * @param attempts how often a producer waits for Kafka, each time as long as it waits with a message
     */
    public ProducerLogin(String topic, int attempts, KafkaAccessHealthIndicator access) {
        this.topic = topic;
        this.attempts = attempts;
        this.access = access;
    }

    @Override
    public synchronized Producer<K, V> apply(Producer<K, V> producer) {
        KafkaException before = failure;
        if (before != null && System.nanoTime() - failedNanos < PAUSE.toNanos()) {
            producer.close(Duration.ZERO);
            throw before;
        }
        try {
            logIn(producer);
        } catch (KafkaException failed) {
            producer.close(Duration.ZERO);
            failure = failed;
            failedNanos = System.nanoTime();
            if (KafkaAccessHealthIndicator.isRefusal(failed)) {
                access.refused();
            }
            throw failed;
        }
        failure = null;
        return producer;
    }

    private void logIn(Producer<K, V> producer) {
        for (int attempt = 1; ; attempt++) {
            try {
                var _ = producer.partitionsFor(topic);
                return;
            } catch (AuthorizationException letIn) {
                // Kafka knows this process, which only has no right on the topic yet.
                access.refused();
                return;
            } catch (TimeoutException late) {
                if (late.getCause() != null) {
                    // Kafka has answered, for example that it does not have the topic yet.
                    return;
                } else if (attempt == attempts) {
                    throw late;
                }
            }
        }
    }
}
