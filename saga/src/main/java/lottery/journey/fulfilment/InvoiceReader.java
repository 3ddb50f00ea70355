package lottery.journey.fulfilment;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import lottery.journey.grant.Invoice;
import lottery.journey.letter.SideBySide;
import lottery.journey.letter.Topics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/**
 * Reads all invoices, for TEXT. What nobody can read it puts aside, for all types: they have readers of their own,
 * which pass over that, so that it is put aside once. For this it is there even where TEXT is left to others.
 */
@Component
@ConditionalOnBooleanProperty(name = "lottery.fulfilment.enabled", matchIfMissing = true)
final class InvoiceReader {

    private static final String GROUP = "lottery-fulfilment";

    /** A little more than what the client of the broker allows itself. */
    private static final Duration ARRIVAL_MAX = Duration.ofSeconds(9);

    private final @Nullable TextFulfilment text;
    private final SideBySide sideBySide;

    InvoiceReader(ObjectProvider<TextFulfilment> text, SideBySide sideBySide) {
        this.text = text.getIfAvailable();
        this.sideBySide = sideBySide;
    }

    /** An invoice counts as read when its answer has arrived. */
    @KafkaListener(topics = Topics.INVOICE, groupId = GROUP, batch = "true")
    void on(List<ConsumerRecord<String, byte[]>> letters) throws InterruptedException {
        sideBySide.handle(letters, this::read, ARRIVAL_MAX);
    }

    private CompletableFuture<?> read(ConsumerRecord<String, byte[]> letter) {
        Invoice invoice = Invoice.received(letter);
        return switch (invoice.type()) {
            case TEXT -> text == null ? passedOver(invoice) : text.answer(invoice);
            // Somebody else hands these over, and answers.
            case CODE, COUPON, PHYSICAL, CREDIT -> passedOver(invoice);
        };
    }

    private static CompletableFuture<?> passedOver(Invoice invoice) {
        return CompletableFuture.completedFuture(invoice);
    }
}
