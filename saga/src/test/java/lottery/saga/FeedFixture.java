package lottery.saga;

import static lottery.saga.TopicReader.headersOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import lottery.api.AggregateId;
import lottery.api.Event;
import lottery.api.UserId;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.messaging.KafkaTopics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The public feed of one user and one activity: stores the events that it publishes, and reads its topic. */
final class FeedFixture implements AutoCloseable {

    static final Duration LIMIT = Duration.ofSeconds(30);
    static final Instant NOON = Instant.parse("2026-11-21T04:00:00.123456Z");
    static final LocalDate TODAY = LocalDate.parse("2026-11-21");

    private static final AtomicLong IDS = new AtomicLong(4_700);

    final UnsteadyPublisher publisher;
    final JdbcClient database;
    final StreamingEventProcessor processor;
    final NewTopic topic;
    final String servers;

    /** Belong to one test alone, because all tests share one store and one broker. */
    final ActivityId activity = new ActivityId(IDS.incrementAndGet());

    final UserId user = new UserId("feed-" + activity.value());

    private final EventStore events;
    private final KafkaConsumer<String, byte[]> consumer;
    private final List<ConsumerRecord<String, byte[]>> read = new ArrayList<>();
    private final Map<String, Long> sequences = new HashMap<>();

    FeedFixture(
            EventStore events,
            UnsteadyPublisher publisher,
            JdbcClient database,
            EventProcessingConfiguration processing,
            NewTopic topic,
            Environment settings) {
        this.events = events;
        this.publisher = publisher;
        this.database = database;
        this.processor =
                processing.eventProcessor("feed", StreamingEventProcessor.class).orElseThrow();
        this.topic = topic;
        this.servers = settings.getRequiredProperty("spring.kafka.bootstrap-servers");
        this.consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "auto.offset.reset", "earliest"),
                new StringDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(KafkaTopics.EVENTS, LIMIT).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Leaves the broker and the topic as they were. */
    @Override
    public void close() {
        consumer.close();
        publisher.comeBack(KafkaTopics.EVENTS);
        change("max.message.bytes", "1048588");
    }

    AccountId account(UserId of) {
        return new AccountId(activity, of);
    }

    RaffleOrderId order(UserId of, String key) {
        return RaffleRequestIdentity.of(account(of), key).id();
    }

    DomainEventMessage<?> happen(AggregateId to, Event event) {
        long sequence = sequences.merge(to.text(), 0L, (before, ignored) -> before + 1);
        DomainEventMessage<?> happened = new GenericDomainEventMessage<>("thing", to.text(), sequence, event, Map.of());
        events.publish(happened);
        return happened;
    }

    /** Stores a small event about a user. */
    String spend(UserId of, String key) {
        return happen(account(of), new ChanceSpent(activity, of, order(of, key), TODAY, false, false))
                .getIdentifier();
    }

    AwardWon won(AwardRecordId id, String title) {
        return new AwardWon(
                id,
                activity,
                user,
                new Prize(101, title, AwardType.CREDIT, 1, new BigDecimal("8.80")),
                true,
                null,
                Map.of("secret", "of fulfilment"),
                // No other command is sent for this award.
                new GrantTime(GrantTime.Timing.MANUAL, null),
                Remedy.MANUAL,
                null,
                NOON,
                null);
    }

    AwardWon wonAndGranted(AwardRecordId id) {
        AwardWon won = won(id, "Coffee");
        return new AwardWon(
                id,
                activity,
                user,
                won.award(),
                false,
                null,
                won.config(),
                GrantTime.AT_ONCE,
                Remedy.MANUAL,
                null,
                NOON,
                "text:" + id.key());
    }

    List<ConsumerRecord<String, byte[]>> readOf(String key) {
        consumer.poll(Duration.ofMillis(100)).forEach(read::add);
        return read.stream().filter(record -> key.equals(record.key())).toList();
    }

    List<ConsumerRecord<String, byte[]>> awaitAbout(String key, int count) {
        await(count + " about " + key).atMost(LIMIT).until(() -> readOf(key).size() >= count);
        return readOf(key);
    }

    /** Returns the messages that a reader sees which skips copies. */
    List<String> newsOf(String key) {
        return readOf(key).stream()
                .map(record -> header(record, "ce_id"))
                .distinct()
                .toList();
    }

    void awaitNews(String key, List<String> ids) {
        await("the news of " + key)
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(newsOf(key)).hasSameSizeAs(ids));
        assertThat(newsOf(key)).isEqualTo(ids);
    }

    static String header(ConsumerRecord<String, byte[]> record, String name) {
        return headersOf(record).getOrDefault(name, "");
    }

    int parked() {
        return database.sql("SELECT count(*) FROM parked_event WHERE processor = 'feed'")
                .query(Integer.class)
                .single();
    }

    Admin admin() {
        return Admin.create(Map.<String, Object>of("bootstrap.servers", servers));
    }

    void change(String setting, String value) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, KafkaTopics.EVENTS);
        try (Admin admin = admin()) {
            admin.incrementalAlterConfigs(Map.of(
                            resource,
                            List.of(new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET))))
                    .all()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .join();
        }
    }
}
