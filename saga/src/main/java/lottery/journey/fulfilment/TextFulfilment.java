package lottery.journey.fulfilment;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import lottery.journey.grant.Invoice;
import lottery.journey.letter.Envelope;
import lottery.journey.letter.Post;
import lottery.journey.letter.SideBySide;
import lottery.journey.letter.Topics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/**
 * Hands TEXT awards over, which takes nothing but to say so. It knows what is on the topics and no more, as any
 * fulfilment elsewhere does; who has one of those switches this one off.
 */
@Component
@ConditionalOnBooleanProperty(
        name = {"lottery.fulfilment.enabled", "lottery.fulfilment.text.enabled"},
        matchIfMissing = true)
final class TextFulfilment {

    private static final String GROUP = "lottery-fulfilment";

    /** A little more than what the client of the broker allows itself. */
    private static final Duration ARRIVAL_MAX = Duration.ofSeconds(9);

    private final Post post;
    private final InstantSource clock;

    TextFulfilment(Post post, InstantSource clock) {
        this.post = post;
        this.clock = clock;
    }

    @KafkaListener(topics = Topics.INVOICE, groupId = GROUP, batch = "true")
    void on(List<ConsumerRecord<String, byte[]>> letters) throws InterruptedException {
        SideBySide.handle(letters, this::answered, ARRIVAL_MAX);
    }

    /** An invoice counts as read when its answer has arrived. */
    private CompletableFuture<?> answered(ConsumerRecord<String, byte[]> letter) {
        Invoice invoice = Envelope.open(letter, Invoice.LETTER_TYPE, Invoice.class);
        return switch (invoice.type()) {
            case TEXT -> post.send(granted(invoice).answerTo(invoice, clock.instant()));
            // Somebody else hands these over, and answers.
            case CODE, COUPON, PHYSICAL, CREDIT -> CompletableFuture.completedFuture(invoice);
        };
    }

    private static Fulfilment granted(Invoice invoice) {
        return Fulfilment.granted(
                invoice.awardRecordId(), "text:" + invoice.awardRecordId().key());
    }
}
