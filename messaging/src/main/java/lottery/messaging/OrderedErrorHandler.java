package lottery.messaging;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.ConsumerRecordRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.util.backoff.BackOff;

/**
 * Handles the failure of a batch, and keeps the remaining messages in the order of the batch. The offset of the first
 * remaining message is committed. In another order, the committed offset could be beyond messages that are not handled
 * yet.
 */
final class OrderedErrorHandler extends DefaultErrorHandler {

    OrderedErrorHandler(@Nullable ConsumerRecordRecoverer recoverer, BackOff pauses) {
        super(recoverer, pauses);
    }

    @Override
    public <K, V> ConsumerRecords<K, V> handleBatchAndReturnRemaining(
            Exception failure,
            ConsumerRecords<?, ?> batch,
            Consumer<?, ?> consumer,
            MessageListenerContainer container,
            Runnable listener) {
        ConsumerRecords<K, V> remaining =
                super.handleBatchAndReturnRemaining(failure, batch, consumer, container, listener);
        Map<TopicPartition, List<ConsumerRecord<K, V>>> inOrder = new LinkedHashMap<>();
        for (TopicPartition partition : batch.partitions()) {
            List<ConsumerRecord<K, V>> rest = remaining.records(partition);
            if (!rest.isEmpty()) {
                inOrder.put(partition, rest);
            }
        }
        return new ConsumerRecords<>(inOrder, remaining.nextOffsets());
    }
}
