package lottery.journey.code;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.journey.fulfilment.Replies;
import lottery.journey.grant.Invoice;
import lottery.journey.letter.Hands;
import lottery.journey.letter.SideBySide;
import lottery.journey.letter.Topics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/**
 * Gives winners of CODE awards their codes. What was decided about an award record stays, whoever asks again: not even
 * a refusal changes when the pool is filled up later, because the award was made good for by then.
 */
@Component
@ConditionalOnBooleanProperty(
        name = {"lottery.fulfilment.enabled", "lottery.fulfilment.code.enabled"},
        matchIfMissing = true)
final class CodeFulfilment implements DisposableBean {

    private static final String GROUP = "lottery-fulfilment-code";

    /**
     * Who decides about a code has one of the connections that draws need, too: a third of them. As many more are for
     * those who book credits, and the last third is left to everybody else.
     */
    private static final int AT_ONCE_MAX = 8;

    private final CodePools pools;
    private final CodeMeters meters;
    private final Replies replies;
    private final InstantSource clock;
    private final SideBySide sideBySide;
    private final Hands hands = new Hands("code", AT_ONCE_MAX);

    CodeFulfilment(CodePools pools, CodeMeters meters, Replies replies, InstantSource clock, SideBySide sideBySide) {
        this.pools = pools;
        this.meters = meters;
        this.replies = replies;
        this.clock = clock;
        this.sideBySide = sideBySide;
    }

    @KafkaListener(topics = Topics.INVOICE, groupId = GROUP, batch = "true")
    void on(List<ConsumerRecord<String, byte[]>> letters) throws InterruptedException {
        sideBySide.handle(letters, this::answered, SideBySide.BATCH_MAX);
    }

    private CompletableFuture<?> answered(ConsumerRecord<String, byte[]> letter) {
        Optional<Invoice> invoice = Replies.read(letter, AwardType.CODE);
        return invoice.isPresent()
                ? hands.begin(invoice.get(), this::answer)
                : CompletableFuture.completedFuture(letter);
    }

    @Override
    public void destroy() {
        hands.close();
    }

    private void answer(Invoice invoice) throws ExecutionException, InterruptedException, TimeoutException {
        AwardRecordId record = invoice.awardRecordId();
        Optional<Gift> before = pools.answered(record);
        if (before.isEmpty() && !replies.areAwaited(record)) {
            return;
        }
        // The code itself is in no answer: answers are in the log of events, and on a topic.
        String reference = "code:" + record.key();
        switch (before.isPresent() ? before.get() : give(invoice)) {
            case GIVEN -> replies.grant(invoice, reference);
            case REFUSED -> replies.reject(invoice, reference, "no code was left");
            case NO_POOL -> {
                // Asked again, it may have one; else a person is asked.
            }
        }
    }

    private Gift give(Invoice invoice) {
        PoolId pool = PoolId.of(invoice);
        Gift gift = pools.give(invoice.awardRecordId(), pool, clock.instant());
        if (gift != Gift.NO_POOL) {
            meters.show(pool);
        }
        return gift;
    }
}
