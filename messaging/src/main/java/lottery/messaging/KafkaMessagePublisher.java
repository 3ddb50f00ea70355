package lottery.messaging;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;

/**
 * Publishes messages by Kafka. A message that leaves when the one before it has arrived is sent by whoever says so, and
 * that is the one thread of the client that talks with the broker. It must not do that: where the client has to look
 * for the topic's leader first, it would wait for an answer that only itself can take, and all other messages with it.
 * Such a message leaves on a thread of its own. Most leave on their sender's, and cost nothing more.
 */
@Component
final class KafkaMessagePublisher implements MessagePublisher {

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

    /** The client's own way of saying so waits for the messages of everybody, for as long as those take. */
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
