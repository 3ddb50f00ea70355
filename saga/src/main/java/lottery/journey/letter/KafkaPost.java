package lottery.journey.letter;

import java.util.concurrent.CompletableFuture;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;

@Component
final class KafkaPost implements Post {

    private final KafkaTemplate<String, byte[]> kafka;

    KafkaPost(KafkaTemplate<String, byte[]> kafka) {
        this.kafka = kafka;
    }

    @Override
    public CompletableFuture<?> send(Letter letter) {
        return kafka.send(Envelope.seal(letter));
    }
}
