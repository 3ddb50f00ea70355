package lottery.journey.code;

import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.journey.fulfilment.Replies;
import lottery.journey.grant.Invoice;
import lottery.journey.letter.Hands;
import lottery.journey.letter.Letter;
import lottery.journey.letter.SideBySide;
import lottery.journey.letter.Topics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
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
     * Who decides about a code has one of the connections that draws need, too. With the two other readers of these
     * invoices that is a third of them; another one is for those who book credits, and the last one is left to
     * everybody else.
     */
    private static final int AT_ONCE_MAX = 6;

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
        sideBySide.handle(letters, this::answeredTogether, this::answered);
    }

    /** One look, one decision and one journey to the broker serve all of them. If one fails, what was decided stays. */
    private boolean answeredTogether(List<ConsumerRecord<String, byte[]>> letters)
            throws ExecutionException, InterruptedException, TimeoutException {
        Collection<Invoice> invoices = Replies.readAll(letters, AwardType.CODE);
        if (invoices.size() < 2) {
            return false;
        }
        Map<AwardRecordId, Gift> gifts =
                pools.answered(invoices.stream().map(Invoice::awardRecordId).toList());
        gifts.putAll(giveAll(invoices.stream()
                .filter(invoice -> !gifts.containsKey(invoice.awardRecordId()))
                .toList()));
        replies.send(invoices.stream()
                .flatMap(invoice -> answer(invoice, gifts.get(invoice.awardRecordId())).stream())
                .toList());
        return true;
    }

    private Map<AwardRecordId, Gift> giveAll(List<Invoice> invoices) {
        Set<AwardRecordId> awaited = replies.awaited(invoices);
        Map<AwardRecordId, PoolId> asked = invoices.stream()
                .filter(invoice -> awaited.contains(invoice.awardRecordId()))
                .collect(Collectors.toMap(Invoice::awardRecordId, PoolId::of));
        Map<AwardRecordId, Gift> gifts = pools.give(asked, clock.instant());
        gifts.forEach((record, gift) -> show(Objects.requireNonNull(asked.get(record)), gift));
        return gifts;
    }

    private CompletableFuture<?> answered(ConsumerRecord<String, byte[]> letter) {
        Optional<Invoice> invoice = Replies.read(letter, AwardType.CODE);
        return invoice.isPresent()
                ? hands.begin(invoice.get(), invoice.get().trace(), this::answer)
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
        Gift gift = before.isPresent() ? before.get() : give(invoice);
        replies.send(answer(invoice, gift).stream().toList());
    }

    private Gift give(Invoice invoice) {
        PoolId pool = PoolId.of(invoice);
        Gift gift = pools.give(invoice.awardRecordId(), pool, clock.instant());
        show(pool, gift);
        return gift;
    }

    private void show(PoolId pool, Gift gift) {
        if (gift != Gift.NO_POOL) {
            meters.show(pool);
        }
    }

    /** The code itself is in no answer: answers are in the log of events, and on a topic. */
    private Optional<Letter> answer(Invoice invoice, @Nullable Gift gift) {
        String reference = "code:" + invoice.awardRecordId().key();
        return switch (gift) {
            case GIVEN -> Optional.of(replies.granted(invoice, reference));
            case REFUSED -> Optional.of(replies.rejected(invoice, reference, "no code was left"));
            // Asked again, it may have one; else a person is asked.
            case NO_POOL -> Optional.empty();
            // Nobody waits for it any more.
            case null -> Optional.empty();
        };
    }
}
