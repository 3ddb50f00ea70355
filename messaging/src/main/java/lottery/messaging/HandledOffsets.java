package lottery.messaging;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.listener.BatchInterceptor;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.stereotype.Component;

/**
 * Keeps in PostgreSQL how far a group has handled its topic, beside what the messages have changed there. If a backup
 * of PostgreSQL is restored, both go back together, and the group reads again from there. Kafka's offsets do not go
 * back. Without this class, messages whose results are lost would never be handled again.
 *
 * <p>An offset here is stored after the results, so it is never too high. It can be too low, for example after a crash.
 * Therefore it is only for consumers to which a repeated message does nothing.
 */
@Component(HandledOffsets.POST_PROCESSOR)
public class HandledOffsets
        implements ContainerPostProcessor<String, byte[], ConcurrentMessageListenerContainer<String, byte[]>> {

    /** The name by which a listener of batches asks for it. */
    public static final String POST_PROCESSOR = "lottery.messaging.handled-offsets";

    private static final Logger LOG = LoggerFactory.getLogger(HandledOffsets.class);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(500);

    private static final String WRITE = """
            INSERT INTO handled_offset (consumer_group, partition, next_offset) VALUES (?, ?, ?)
            ON CONFLICT (consumer_group, partition) DO UPDATE SET next_offset = excluded.next_offset""";

    private static final String READ = "SELECT partition, next_offset FROM handled_offset WHERE consumer_group = ?";

    private final JdbcClient database;

    HandledOffsets(JdbcClient database) {
        this.database = database;
    }

    @Override
    public void postProcess(ConcurrentMessageListenerContainer<String, byte[]> container) {
        String group = Objects.requireNonNull(container.getGroupId());
        container.setBatchInterceptor(new HandledBatchRecorder(group));
        container.getContainerProperties().setConsumerRebalanceListener(new LostResultsRewinder(container, group));
    }

    /** Stores how far a group has come after each batch. */
    private final class HandledBatchRecorder implements BatchInterceptor<String, byte[]> {

        private final String group;

        HandledBatchRecorder(String group) {
            this.group = group;
        }

        @Override
        public ConsumerRecords<String, byte[]> intercept(
                ConsumerRecords<String, byte[]> batch, Consumer<String, byte[]> consumer) {
            return batch;
        }

        @Override
        public void success(ConsumerRecords<String, byte[]> batch, Consumer<String, byte[]> consumer) {
            try {
                batch.partitions().stream()
                        .sorted(Comparator.comparingInt(TopicPartition::partition))
                        .forEach(partition ->
                                write(partition, batch.records(partition).getLast()));
            } catch (DataAccessException away) {
                LOG.debug("The offsets of {} could not be stored. The next batch stores later ones.", group, away);
            }
        }

        private void write(TopicPartition partition, ConsumerRecord<String, byte[]> last) {
            var _ = database.sql(WRITE)
                    .params(group, partition.partition(), last.offset() + 1)
                    .update();
        }
    }

    /** Sets the consumers of a group back to where PostgreSQL is, if it is behind Kafka's offset. */
    private final class LostResultsRewinder implements ConsumerAwareRebalanceListener {

        private final ConcurrentMessageListenerContainer<String, byte[]> container;
        private final String group;

        LostResultsRewinder(ConcurrentMessageListenerContainer<String, byte[]> container, String group) {
            this.container = container;
            this.group = group;
        }

        @Override
        public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
            if (partitions.isEmpty()) {
                return;
            }
            Map<Integer, Long> handled = awaitHandled();
            consumer.committed(Set.copyOf(partitions))
                    .forEach((partition, committed) ->
                            goBack(consumer, partition, committed, handled.get(partition.partition())));
        }

        private void goBack(
                Consumer<?, ?> consumer,
                TopicPartition partition,
                @Nullable OffsetAndMetadata committed,
                @Nullable Long handled) {
            if (committed != null && handled != null && handled < committed.offset()) {
                LOG.info(
                        "{} was read up to {}, and PostgreSQL has the results up to {}. The messages from there on are read again.",
                        partition,
                        committed.offset(),
                        handled);
                consumer.seek(partition, handled);
            }
        }

        /** Waits for PostgreSQL as long as the container runs. Without it no message could be handled anyway. */
        private Map<Integer, Long> awaitHandled() {
            while (container.isRunning()) {
                try {
                    return read();
                } catch (DataAccessException away) {
                    LOG.debug("The offsets of {} cannot be read.", group, away);
                    LockSupport.parkNanos(PAUSE_AFTER_FAILURE.toNanos());
                }
            }
            return Map.of();
        }

        private Map<Integer, Long> read() {
            Map<Integer, Long> handled = new HashMap<>();
            RowCallbackHandler add = row -> handled.put(row.getInt("partition"), row.getLong("next_offset"));
            database.sql(READ).param(group).query(add);
            return handled;
        }
    }
}
