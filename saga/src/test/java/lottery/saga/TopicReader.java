package lottery.saga;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import lottery.messaging.KafkaTopics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.annotation.KafkaListener;

/** Reads every topic, like any consumer. */
class TopicReader {

    static final String INVOICE_DEAD = "lottery_invoice_dlt";
    static final String FULFILMENT_DEAD = "lottery_fulfilment_dlt";
    static final String BEHAVIOURS_DEAD = "lottery_behaviours_dlt";

    private final List<ConsumerRecord<String, byte[]>> seen = new CopyOnWriteArrayList<>();

    @KafkaListener(
            topics = {KafkaTopics.INVOICE, KafkaTopics.FULFILMENT, INVOICE_DEAD, FULFILMENT_DEAD, BEHAVIOURS_DEAD},
            groupId = "reader")
    void on(ConsumerRecord<String, byte[]> record) {
        seen.add(record);
    }

    /** Returns all records of a topic with that key so far, in order. */
    List<ConsumerRecord<String, byte[]>> on(String topic, String key) {
        return seen.stream()
                .filter(record -> record.topic().equals(topic) && key.equals(record.key()))
                .toList();
    }

    /** Returns the notes on a topic for messages that were too large. */
    List<ConsumerRecord<String, byte[]>> notes(String topic) {
        return seen.stream()
                .filter(record ->
                        record.topic().equals(topic) && record.headers().lastHeader("lottery_size") != null)
                .toList();
    }

    static Map<String, String> headersOf(ConsumerRecord<String, byte[]> record) {
        Map<String, String> headers = new HashMap<>();
        record.headers().forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
        return headers;
    }

    static @Nullable String textOf(ConsumerRecord<String, byte[]> record) {
        byte @Nullable [] value = record.value();
        return value == null ? null : new String(value, UTF_8);
    }
}
