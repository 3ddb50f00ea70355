package lottery.messaging;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;

/**
 * Publishes messages to Kafka. A message that follows another one's arrival would be sent on the producer's network
 * thread, which completes that future. That thread must not send. To look up the topic's leader it would wait for an
 * answer that only itself can read, and block all other messages. Such a message is sent on a virtual thread. Most
 * messages are sent on their caller's thread, at no extra cost.
 */
@Component
final class KafkaMessagePublisher implements AsyncMessagePublisher {

    private final KafkaTemplate<String, byte[]> kafka;

    KafkaMessagePublisher(KafkaTemplate<String, byte[]> kafka) {
        this.kafka = kafka;
    }

    @Override
    public CompletableFuture<?> send(OutgoingMessage message) {
        return isOfTheClient(Thread.currentThread())
                ? CompletableFuture.completedFuture(message).thenComposeAsync(this::leave, Thread::startVirtualThread)
                : leave(message);
    }

    /** Flushes on another thread: the client's flush waits until all messages of all senders have arrived. */
    @Override
    public void depart() {
        Thread.startVirtualThread(kafka::flush);
    }

    private CompletableFuture<?> leave(OutgoingMessage message) {
        return kafka.send(CloudEventCodec.encode(message));
    }

    private static boolean isOfTheClient(Thread thread) {
        return thread.getName().startsWith(KafkaProducer.NETWORK_THREAD_PREFIX);
    }
}
