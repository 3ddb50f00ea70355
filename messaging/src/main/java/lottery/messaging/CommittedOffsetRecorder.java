package lottery.messaging;

import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Tells which offsets a consumer has committed. Kafka creates it, and hands the settings of the consumer to it. */
public final class CommittedOffsetRecorder implements ConsumerInterceptor<String, byte[]> {

    /** The setting with the {@link Target}. */
    static final String TARGET = "lottery.committed-offsets.target";

    /** A receiver of the committed offsets. It is called on the thread of the consumer. */
    interface Target extends Consumer<Map<TopicPartition, OffsetAndMetadata>> {}

    private @Nullable Target target;

    @Override
    public void configure(Map<String, ?> settings) {
        target = (Target) settings.get(TARGET);
    }

    @Override
    public ConsumerRecords<String, byte[]> onConsume(ConsumerRecords<String, byte[]> records) {
        return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        Objects.requireNonNull(target).accept(offsets);
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
