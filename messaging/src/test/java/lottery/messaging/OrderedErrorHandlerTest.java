package lottery.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.util.backoff.FixedBackOff;

@DisplayName("The rest of a batch after a failure")
class OrderedErrorHandlerTest {

    /** Exceeds the capacity of a small hash map; with fewer partitions more orders would be right by chance. */
    private static final int PARTITIONS = 14;

    /** Uses several topics, since the order of one may be right by chance. */
    @ParameterizedTest
    @ValueSource(strings = {"messages", "invoices", "answers", "news", "rubbish"})
    @DisplayName("The rest is in the order of the batch, however many partitions it has.")
    void inOrder(String topic) {
        Map<TopicPartition, List<ConsumerRecord<String, String>>> messages = new HashMap<>();
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            TopicPartition place = new TopicPartition(topic, partition);
            messages.put(
                    place,
                    List.of(
                            new ConsumerRecord<>(topic, partition, 0, "key", "first"),
                            new ConsumerRecord<>(topic, partition, 1, "key", "second")));
            next.put(place, new OffsetAndMetadata(2));
        }
        ConsumerRecords<String, String> batch = new ConsumerRecords<>(messages, next);
        List<ConsumerRecord<String, String>> all = new ArrayList<>();
        batch.forEach(all::add);

        for (int failed = 0; failed < all.size(); failed++) {
            assertThat(remaining(topic, batch, failed))
                    .as("after %d", failed)
                    .isEqualTo(all.subList(failed, all.size()));
        }
    }

    private static List<ConsumerRecord<String, String>> remaining(
            String topic, ConsumerRecords<String, String> batch, int failed) {
        ContainerProperties properties = new ContainerProperties(topic);
        properties.setGroupId("readers");
        var container = new KafkaMessageListenerContainer<>(new DefaultKafkaConsumerFactory<>(Map.of()), properties);
        OrderedErrorHandler handler = new OrderedErrorHandler(null, new FixedBackOff(0, 5));
        handler.setSeekAfterError(false);
        List<ConsumerRecord<String, String>> rest = new ArrayList<>();
        try (MockConsumer<String, String> consumer = new MockConsumer<>("earliest")) {
            consumer.assign(batch.partitions());
            handler.<String, String>handleBatchAndReturnRemaining(
                            new BatchListenerFailedException("it has failed", failed),
                            batch,
                            consumer,
                            container,
                            () -> {})
                    .forEach(rest::add);
        }
        return rest;
    }
}
