package lottery.saga;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import lottery.messaging.AsyncMessagePublisher;
import lottery.messaging.OutgoingMessage;
import org.apache.kafka.common.errors.TimeoutException;

/** The real publisher, which loses a message if a test wants it to. */
class UnsteadyPublisher implements AsyncMessagePublisher {

    private final AsyncMessagePublisher publisher;
    private final ConcurrentMap<String, Integer> lossesLeft = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Integer> refusedSinceAway = new ConcurrentHashMap<>();

    UnsteadyPublisher(AsyncMessagePublisher publisher) {
        this.publisher = publisher;
    }

    void lose(String topic, String subject, int times) {
        lossesLeft.put(topic + subject, times);
    }

    boolean hasLostAll(String topic, String subject) {
        return lossesLeft.getOrDefault(topic + subject, 0) == 0;
    }

    /** From now on the broker does not answer for this topic. */
    void leave(String topic) {
        refusedSinceAway.put(topic, 0);
    }

    int refusedSinceAway(String topic) {
        return refusedSinceAway.getOrDefault(topic, 0);
    }

    void comeBack(String topic) {
        refusedSinceAway.remove(topic);
    }

    @Override
    public CompletableFuture<?> send(OutgoingMessage message) {
        if (refusedSinceAway.computeIfPresent(message.topic(), (topic, refused) -> refused + 1) != null) {
            return CompletableFuture.failedFuture(new TimeoutException("the broker does not answer"));
        }
        String messages = message.topic() + message.subject();
        int left = lossesLeft.getOrDefault(messages, 0);
        if (left > 0) {
            lossesLeft.put(messages, left - 1);
            return CompletableFuture.failedFuture(new IllegalStateException("the broker is away"));
        }
        return publisher.send(message);
    }

    @Override
    public void flush() {
        publisher.flush();
    }
}
