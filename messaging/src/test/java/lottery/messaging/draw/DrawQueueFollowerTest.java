package lottery.messaging.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.messaging.CloudEventCodec;
import lottery.messaging.KafkaAccessHealthIndicator;
import lottery.messaging.KafkaTopics;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.ConsumerFactory;

@DisplayName("The follower of the queue")
class DrawQueueFollowerTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String TOPIC = KafkaTopics.DRAW_REQUESTS;
    private static final TopicPartition FIRST = new TopicPartition(TOPIC, 0);
    private static final ActivityId SPRING = new ActivityId(100);

    private final WaitingDraws waiting = new WaitingDraws();
    private final List<MockConsumer<String, byte[]>> made = new CopyOnWriteArrayList<>();
    private final KafkaAccessHealthIndicator access = new KafkaAccessHealthIndicator();
    private final DrawQueueFollower follower = new DrawQueueFollower(new Factory(), waiting, access, this::prepare);

    /** How often the preparation fails before it succeeds. */
    private final AtomicInteger failures = new AtomicInteger();

    /** How often the follower has begun to read how far the topic was drawn. */
    private final AtomicInteger looks = new AtomicInteger();

    /** How many partitions the topic has, how far it was drawn, and where it ends, as the next consumer finds it. */
    private volatile int partitions = 1;

    private volatile long ended = 10;
    private volatile long end = 10;

    /** Makes consumers that know the topic as it is then. */
    private final class Factory implements ConsumerFactory<String, byte[]> {

        @Override
        public Consumer<String, byte[]> createConsumer(
                @Nullable String groupId,
                @Nullable String clientIdPrefix,
                @Nullable String clientIdSuffix,
                @Nullable Properties properties) {
            MockConsumer<String, byte[]> consumer = new PatientConsumer();
            tell(consumer);
            made.add(consumer);
            return consumer;
        }

        @Override
        public boolean isAutoCommit() {
            return false;
        }
    }

    /** A consumer that waits a moment if there is nothing to read. */
    private final class PatientConsumer extends MockConsumer<String, byte[]> {

        PatientConsumer() {
            super("earliest");
        }

        /** Forgets what was committed, and is told again. */
        @Override
        public synchronized void assign(Collection<TopicPartition> assigned) {
            super.assign(assigned);
            commitSync(Map.of(FIRST, new OffsetAndMetadata(ended)));
        }

        @Override
        public synchronized Map<TopicPartition, OffsetAndMetadata> committed(
                Set<TopicPartition> wanted, Duration timeout) {
            looks.incrementAndGet();
            return super.committed(wanted, timeout);
        }

        /** Pauses before it locks: those who change the topic need not wait for that. */
        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public ConsumerRecords<String, byte[]> poll(Duration timeout) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
            return super.poll(timeout);
        }
    }

    private void prepare() {
        if (failures.getAndDecrement() > 0) {
            throw new TimeoutException("the broker needs longer");
        }
    }

    /** Tells a consumer which partitions there are, and where they begin and end. */
    private void tell(MockConsumer<String, byte[]> consumer) {
        consumer.updatePartitions(
                TOPIC,
                IntStream.range(0, partitions)
                        .mapToObj(i -> new PartitionInfo(TOPIC, i, Node.noNode(), new Node[0], new Node[0]))
                        .toList());
        for (int i = 0; i < partitions; i++) {
            TopicPartition partition = new TopicPartition(TOPIC, i);
            consumer.updateBeginningOffsets(Map.of(partition, 0L));
            consumer.updateEndOffsets(Map.of(partition, i == 0 ? end : 0L));
        }
    }

    private void start() {
        follower.start();
        await().atMost(SOON).until(follower::isUpToDate);
        assertThat(made).hasSize(1);
    }

    private void awaitAnew() {
        await().atMost(SOON).until(() -> made.size() == 2 && follower.isUpToDate());
    }

    @AfterEach
    void stop() {
        follower.stop();
    }

    @Test
    @DisplayName("repeats a preparation that takes too long, and keeps its connection meanwhile")
    void slowPreparation() {
        failures.set(3);
        start();
        assertThat(failures).hasValue(-1);
    }

    @Test
    @DisplayName("begins anew when the topic has other partitions, and forgets those that are gone")
    void otherPartitions() {
        partitions = 2;
        start();
        made.getFirst().addRecord(message(1, 0));
        await().atMost(SOON).until(() -> waiting.count() == 1);
        partitions = 1;
        tell(made.getFirst());
        awaitAnew();
        assertThat(waiting.count()).isZero();
    }

    @Test
    @DisplayName("begins anew when the topic ends before what was read: somebody has created it anew")
    void otherTopic() {
        start();
        made.getFirst().addRecord(message(0, 10));
        await().atMost(SOON).until(() -> waiting.count() == 1);
        ended = 11;
        made.getFirst().commitSync(Map.of(FIRST, new OffsetAndMetadata(11)));
        await().atMost(SOON).until(() -> waiting.count() == 0);
        ended = 0;
        end = 0;
        tell(made.getFirst());
        awaitAnew();
    }

    @Test
    @DisplayName("begins anew when somebody sets the offsets of those that draw back")
    void offsetsSetBack() {
        start();
        made.getFirst().addRecord(message(0, 10));
        await().atMost(SOON).until(() -> waiting.count() == 1);
        made.getFirst().commitSync(Map.of(FIRST, new OffsetAndMetadata(10)));
        // The look that is under way may have begun before.
        int before = looks.get();
        await().atMost(SOON).until(() -> looks.get() >= before + 2);
        ended = 5;
        // This topic has no messages that could be read again.
        end = 5;
        made.getFirst().commitSync(Map.of(FIRST, new OffsetAndMetadata(5)));
        awaitAnew();
    }

    private static ConsumerRecord<String, byte[]> message(int partition, long offset) {
        AccountId account = new AccountId(SPRING, new UserId("ann"));
        QueuedDrawRequest request = new QueuedDrawRequest(
                RaffleRequestIdentity.of(account, "key-" + offset).id(), SPRING, account.userId(), 1, Instant.EPOCH);
        ProducerRecord<String, byte[]> sent = CloudEventCodec.encode(request.message());
        return new ConsumerRecord<>(
                TOPIC,
                partition,
                offset,
                0,
                TimestampType.CREATE_TIME,
                0,
                sent.value().length,
                sent.key(),
                sent.value(),
                sent.headers(),
                Optional.empty());
    }
}
