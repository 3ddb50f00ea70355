package lottery.messaging;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import lottery.store.log.LogDivergenceGuard;
import lottery.store.log.LogDivergenceGuard.LogEntry;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.stereotype.Component;

/**
 * Keeps in PostgreSQL how far a group has handled its topic, beside what the messages have changed there. If a backup
 * of PostgreSQL is restored, both go back together, and the group reads again from there. Kafka's offsets do not go
 * back. Without this class, messages whose results are lost would never be handled again.
 *
 * <p>An offset is stored after it was committed in Kafka, and only if the log still has the newest event that this
 * process knows. So it is never beyond the results. It can be too low, for example after a crash. Therefore it is only
 * for listeners to which a repeated message does nothing. An operator who skips messages in Kafka has to change the
 * row, too.
 */
@Component(HandledOffsets.POST_PROCESSOR)
public class HandledOffsets
        implements ContainerPostProcessor<String, byte[], ConcurrentMessageListenerContainer<String, byte[]>> {

    /** The name by which a listener asks for it. */
    public static final String POST_PROCESSOR = "lottery.messaging.handled-offsets";

    private static final Logger LOG = LoggerFactory.getLogger(HandledOffsets.class);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(500);

    private static final String WRITE = """
            INSERT INTO handled_offset (consumer_group, partition, next_offset)
            SELECT ?, ?, ? WHERE log_has(?, ?)
            ON CONFLICT (consumer_group, partition) DO UPDATE SET next_offset = excluded.next_offset""";

    private static final String READ = "SELECT partition, next_offset FROM handled_offset WHERE consumer_group = ?";

    private final JdbcClient database;
    private final LogDivergenceGuard divergenceGuard;

    HandledOffsets(JdbcClient database, LogDivergenceGuard divergenceGuard) {
        this.database = database;
        this.divergenceGuard = divergenceGuard;
    }

    @Override
    public void postProcess(ConcurrentMessageListenerContainer<String, byte[]> container) {
        String group = Objects.requireNonNull(container.getGroupId());
        CommittedOffsetRecorder.Target target = offsets -> write(group, offsets);
        container
                .getContainerProperties()
                .getKafkaConsumerProperties()
                .putAll(Map.of(
                        ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
                        CommittedOffsetRecorder.class.getName(),
                        CommittedOffsetRecorder.TARGET,
                        target));
        container.getContainerProperties().setConsumerRebalanceListener(new LostResultsRewinder(container, group));
    }

    private void write(String group, Map<TopicPartition, OffsetAndMetadata> offsets) {
        LogEntry known = divergenceGuard.newest();
        try {
            offsets.forEach((partition, next) -> {
                var _ = database.sql(WRITE)
                        .params(group, partition.partition(), next.offset(), known.position(), known.id())
                        .update();
            });
        } catch (DataAccessException away) {
            LOG.debug("The offsets of {} could not be stored. Later ones will be.", group, away);
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

        /**
         * Tries again after each failure as long as the container runs, because consumers would go on with Kafka's
         * offsets otherwise. Without PostgreSQL no message could be handled anyway.
         */
        @Override
        public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
            boolean isSaid = false;
            while (!partitions.isEmpty() && container.isRunning()) {
                try {
                    Map<Integer, Long> handled = read();
                    consumer.committed(Set.copyOf(partitions))
                            .forEach((partition, committed) -> goBack(
                                    consumer, partition, committed, handled.getOrDefault(partition.partition(), 0L)));
                    return;
                } catch (DataAccessException | KafkaException away) {
                    if (!isSaid) {
                        LOG.warn(
                                "It is unknown how far {} has come: {}. Its messages wait until it is known.",
                                group,
                                away.toString());
                        isSaid = true;
                    }
                    LockSupport.parkNanos(PAUSE_AFTER_FAILURE.toNanos());
                }
            }
        }

        private Map<Integer, Long> read() {
            Map<Integer, Long> handled = new HashMap<>();
            RowCallbackHandler add = row -> handled.put(row.getInt("partition"), row.getLong("next_offset"));
            database.sql(READ).param(group).query(add);
            return handled;
        }

        private static void goBack(
                Consumer<?, ?> consumer,
                TopicPartition partition,
                @Nullable OffsetAndMetadata committed,
                long handled) {
            if (committed != null && handled < committed.offset()) {
                LOG.info(
                        "{} was read up to {}. PostgreSQL is only sure of {}, so the messages from there on are read again.",
                        partition,
                        committed.offset(),
                        handled);
                consumer.seek(partition, handled);
            }
        }
    }
}
