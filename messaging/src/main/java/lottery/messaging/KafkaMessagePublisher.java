package lottery.messaging;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;

/**
 * Publishes messages to Kafka. Most messages are sent on their caller's thread, at no extra cost.
 *
 * <p>The exception is a message that is sent when an earlier one has arrived. The producer's network thread completes
 * the future of the earlier message, so the new message would be sent on that thread, too. The network thread must not
 * send. To look up the topic's leader, it would wait for an answer that only it can read, and would block all other
 * messages. Therefore such a message is sent on a virtual thread.
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

    /** Flushes on another thread, because the client's flush waits until all messages of all senders have arrived. */
    @Override
    public void flush() {
        Thread.startVirtualThread(kafka::flush);
    }

    private CompletableFuture<?> leave(OutgoingMessage message) {
        return kafka.send(CloudEventCodec.encode(message));
    }

    private static boolean isOfTheClient(Thread thread) {
        return thread.getName().startsWith(KafkaProducer.NETWORK_THREAD_PREFIX);
    }
}
