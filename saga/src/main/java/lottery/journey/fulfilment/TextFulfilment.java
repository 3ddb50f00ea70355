package lottery.journey.fulfilment;

import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import lottery.journey.grant.Invoice;
import lottery.journey.letter.Post;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
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

    private final Post post;
    private final InstantSource clock;

    TextFulfilment(Post post, InstantSource clock) {
        this.post = post;
        this.clock = clock;
    }

    CompletableFuture<?> answer(Invoice invoice) {
        Fulfilment granted = Fulfilment.granted(
                invoice.awardRecordId(), "text:" + invoice.awardRecordId().key());
        return post.send(granted.answerTo(invoice, clock.instant()));
    }
}
