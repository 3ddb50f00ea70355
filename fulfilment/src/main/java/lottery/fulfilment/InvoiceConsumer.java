package lottery.fulfilment;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import lottery.api.award.AwardRecordId;
import lottery.messaging.KafkaTopics;
import lottery.messaging.KeyedBatchProcessor;
import lottery.messaging.invoice.AwardFulfillers;
import lottery.messaging.invoice.Invoice;
import lottery.store.processing.FailureClassifier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/**
 * Consumes the invoices on the topic, and has those for this process handed over. The offset of an invoice is committed
 * when its award record has the result. Unreadable invoices of all types become dead letters here. Consumers of a
 * single type skip unreadable invoices, so that each invoice becomes one dead letter.
 */
@Component
@ConditionalOnBooleanProperty(name = "lottery.fulfilment.enabled", matchIfMissing = true)
final class InvoiceConsumer implements DisposableBean {

    private static final String GROUP = "lottery-fulfilment";

    /** The number of calls at once. Each uses a database connection, which draws need too. */
    private static final int AT_ONCE_MAX = 6;

    private final AwardFulfillers fulfillers;
    private final KeyedBatchProcessor processor;

    InvoiceConsumer(AwardFulfillers fulfillers, FailureClassifier failureClassifier) {
        this.fulfillers = fulfillers;
        this.processor = new KeyedBatchProcessor("invoice", AT_ONCE_MAX, failureClassifier);
    }

    @KafkaListener(topics = KafkaTopics.INVOICE, groupId = GROUP, batch = "true")
    void on(List<ConsumerRecord<String, byte[]>> messages) throws InterruptedException {
        processor.process(messages, this::handOver);
    }

    /**
     * Hands over the awards of all messages. If one award fails, all messages are handled again, even those whose
     * awards are already handed over.
     */
    private void handOver(List<ConsumerRecord<String, byte[]>> messages) {
        fulfillers.assign(onePerAward(messages)).forEach((fulfiller, invoices) -> fulfiller.handOver(invoices));
    }

    /**
     * Returns one invoice for each award. Further invoices for an award are copies or later attempts, and ask for the
     * same.
     *
     * @throws IllegalArgumentException if two invoices for one award differ; they are then handled one by one, and each
     *     gets its own error
     */
    private static Collection<Invoice> onePerAward(List<ConsumerRecord<String, byte[]>> messages) {
        Map<AwardRecordId, Invoice> invoices = new LinkedHashMap<>();
        for (ConsumerRecord<String, byte[]> message : messages) {
            Invoice invoice = Invoice.received(message);
            Invoice before = invoices.put(invoice.awardRecordId(), invoice);
            if (before != null && !before.asksTheSameAs(invoice)) {
                throw new IllegalArgumentException(invoice.awardRecordId().text() + " is asked for in two ways");
            }
        }
        return invoices.values();
    }

    @Override
    public void destroy() {
        processor.close();
    }
}
