package lottery.saga;

import static java.nio.charset.StandardCharsets.UTF_8;
import static lottery.saga.TopicReader.FULFILMENT_DEAD;
import static lottery.saga.TopicReader.INVOICE_DEAD;
import static lottery.saga.TopicReader.headersOf;
import static lottery.saga.TopicReader.textOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.Address;
import lottery.api.award.AwardCommand;
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardCommand.RejectGrant;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.messaging.KafkaTopics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.axonframework.messaging.Message;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.test.context.TestConstructor;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("Sagas over a real broker and a real database")
class SagasOverKafkaTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ActivityId ACTIVITY = new ActivityId(100);
    private static final Instant NOON = Instant.parse("2026-11-21T04:00:00.123456Z");
    private static final String FULFILMENT_TYPE = "lottery.fulfilment.v1";
    private static final String INVOICE_TYPE = "lottery.invoice.v1";

    private final AwardRecords records;
    private final TopicReader reader;
    private final UnsteadyPublisher post;
    private final KafkaTemplate<String, byte[]> kafka;
    private final KafkaAdmin topics;
    private final JdbcTemplate database;
    private final StreamingEventProcessor grants;

    private UserId user = new UserId("nobody");

    SagasOverKafkaTest(
            AwardRecords records,
            TopicReader reader,
            UnsteadyPublisher post,
            KafkaTemplate<String, byte[]> kafka,
            KafkaAdmin topics,
            JdbcTemplate database,
            EventProcessingConfiguration processing) {
        this.records = records;
        this.reader = reader;
        this.post = post;
        this.kafka = kafka;
        this.topics = topics;
        this.database = database;
        this.grants = processing
                .eventProcessor("grants", StreamingEventProcessor.class)
                .orElseThrow();
    }

    /** Gives each test its own user: all tests share one store and one broker. */
    @BeforeEach
    void ownUser(TestInfo test) {
        user = new UserId(test.getTestMethod().orElseThrow().getName());
    }

    private AwardRecordId record(String key) {
        return AwardRecordId.of(
                RaffleRequestIdentity.of(new AccountId(ACTIVITY, user), key).id());
    }

    private void awaitDispatched(AwardRecordId id) {
        await("dispatched: " + id.text())
                .atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(records.receivedFor(id)).hasAtLeastOneElementOfType(ConfirmDispatch.class));
    }

    private AwardRecordId win(String key) {
        return win(key, AwardType.TEXT);
    }

    private AwardRecordId win(String key, AwardType type) {
        AwardRecordId id = record(key);
        records.win(new AwardWon(
                id,
                ACTIVITY,
                user,
                new Prize(101, "Coffee", type, 1, null),
                false,
                null,
                Map.of("text", "Show this"),
                GrantTime.AT_ONCE,
                Remedy.MANUAL,
                null,
                NOON,
                null));
        return id;
    }

    private AwardRecordId known(String key) {
        AwardRecordId id = record(key);
        records.keep(id, user);
        return id;
    }

    private int rowsOfSaga(AwardRecordId id) {
        Integer rows = database.queryForObject(
                "SELECT count(*) FROM saga WHERE type = 'grant' AND association = ?", Integer.class, id.text());
        return rows == null ? 0 : rows;
    }

    private void awaitGranted(AwardRecordId id) {
        await("granted: " + id.text())
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(records.eventsOf(id))
                        .<Object>extracting(Message::getPayload)
                        .contains(new AwardGranted(id, user, "text:" + id.key())));
        await("saga ended: " + id.text()).atMost(LIMIT).until(() -> rowsOfSaga(id) == 0);
    }

    private List<AwardCommand> awaitCommands(AwardRecordId id, int count) {
        await("commands for " + id.text())
                .atMost(LIMIT)
                .until(() -> records.receivedFor(id).size() >= count);
        return records.receivedFor(id);
    }

    private List<ConsumerRecord<String, byte[]>> awaitMessages(String topic, String key, int count) {
        await(count + " on " + topic)
                .atMost(LIMIT)
                .until(() -> reader.on(topic, key).size() >= count);
        return reader.on(topic, key);
    }

    private void send(String topic, String key, String type, @Nullable String content) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("ce_specversion", "1.0");
        headers.put("ce_id", key);
        headers.put("ce_source", "/shop");
        headers.put("ce_type", type);
        send(topic, key, headers, content);
    }

    private void send(String topic, String key, Map<String, String> headers, @Nullable String content) {
        ProducerRecord<String, byte[]> record =
                new ProducerRecord<>(topic, key, content == null ? null : content.getBytes(UTF_8));
        headers.forEach((name, value) -> record.headers().add(name, value.getBytes(UTF_8)));
        kafka.send(record).orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    private static String granted(AwardRecordId id, String reference) {
        return "{\"awardRecordId\":\"" + id.text() + "\",\"result\":\"GRANTED\",\"reference\":\"" + reference + "\"}";
    }

    @Nested
    @DisplayName("A win")
    class WonAward {

        @Test
        @DisplayName("A win is invoiced, fulfilled and granted, and then its saga is over.")
        void wholeWay() {
            AwardRecordId id = win("first");
            awaitGranted(id);

            ConsumerRecord<String, byte[]> invoice =
                    awaitMessages(KafkaTopics.INVOICE, user.value(), 1).getFirst();
            assertThat(headersOf(invoice))
                    .containsAllEntriesOf(Map.of(
                            "ce_specversion", "1.0",
                            "ce_id", id.text() + "/invoice/1",
                            "ce_type", "lottery.invoice.v1",
                            "ce_source", "/lottery/sagas/grant",
                            "ce_subject", id.text(),
                            "ce_time", "2026-11-21T04:00:00.123456Z",
                            "ce_awardtype", "TEXT",
                            "content-type", "application/json"));
            assertThat(textOf(invoice))
                    .isEqualTo("{\"awardRecordId\":\"" + id.text() + "\",\"userId\":\"wholeWay\",\"activityId\":100,"
                            + "\"award\":{\"awardId\":101,\"title\":\"Coffee\"},\"type\":\"TEXT\","
                            + "\"content\":{\"text\":\"Show this\"},\"attempt\":1}");

            // On a busy machine the answer may take so long that the dispatch is recorded.
            assertThat(records.receivedFor(id))
                    .filteredOn(command -> !(command instanceof ConfirmDispatch))
                    .containsExactly(new GrantAward(id, "text:" + id.key()));
        }

        @Test
        @DisplayName("A parcel is dispatched when its winner gives an address.")
        void parcel() {
            AwardRecordId id = win("first", AwardType.PHYSICAL);
            records.claim(id, new Address("Ann", "1", "Here 1", null, null));
            awaitDispatched(id);
            send(KafkaTopics.FULFILMENT, id.text(), FULFILMENT_TYPE, granted(id, "parcel"));
            await("saga ended").atMost(LIMIT).until(() -> rowsOfSaga(id) == 0);
        }

        @Test
        @DisplayName("A win is not handled before the broker has its invoice: a lost one is sent again, unchanged.")
        void lostInvoice() {
            post.lose(KafkaTopics.INVOICE, record("first").text(), 1);
            AwardRecordId id = win("first");
            awaitGranted(id);
            assertThat(post.hasLostAll(KafkaTopics.INVOICE, id.text())).isTrue();
            assertThat(awaitMessages(KafkaTopics.INVOICE, user.value(), 1))
                    .singleElement()
                    .satisfies(
                            invoice -> assertThat(headersOf(invoice)).containsEntry("ce_id", id.text() + "/invoice/1"));
        }

        @Test
        @DisplayName("A win without an answer is invoiced again when that is due, and granted.")
        void unanswered() {
            AwardRecordId id = record("first");
            records.fail(id, Integer.MAX_VALUE);
            win("first");
            awaitMessages(INVOICE_DEAD, user.value(), 1);
            assertThat(reader.on(KafkaTopics.INVOICE, user.value())).hasSize(1);
            records.fail(id, 0);
            awaitDispatched(id);
            assertThat(database.update("UPDATE saga SET due_at = now() WHERE association = ?", id.text()))
                    .isEqualTo(1);
            awaitGranted(id);
            assertThat(awaitMessages(KafkaTopics.INVOICE, user.value(), 2))
                    .extracting(invoice -> headersOf(invoice).get("ce_id"))
                    .containsExactly(id.text() + "/invoice/1", id.text() + "/invoice/2");
        }

        @Test
        @DisplayName("A win that is handled again writes the same message, byte for byte, and is granted once.")
        void replayed() throws Exception {
            AwardRecordId id = win("first");
            awaitGranted(id);

            grants.shutdownAsync().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(database.update("DELETE FROM token WHERE processor = 'grants'"))
                    .isPositive();
            grants.start();

            List<ConsumerRecord<String, byte[]>> invoices = awaitMessages(KafkaTopics.INVOICE, user.value(), 2);
            assertThat(headersOf(invoices.getLast())).isEqualTo(headersOf(invoices.getFirst()));
            assertThat(textOf(invoices.getLast())).isEqualTo(textOf(invoices.getFirst()));
            await("the second answer")
                    .atMost(LIMIT)
                    .until(() -> records.receivedFor(id).stream()
                                    .filter(GrantAward.class::isInstance)
                                    .count()
                            >= 2);
            await("the saga ended again").atMost(LIMIT).until(() -> rowsOfSaga(id) == 0);
            assertThat(records.eventsOf(id))
                    .filteredOn(event -> event.getPayload() instanceof AwardGranted)
                    .hasSize(1);
        }
    }

    @Nested
    @DisplayName("An answer of fulfilment")
    class AnswerOfFulfilment {

        @Test
        @DisplayName("An answer that comes twice is harmless.")
        void twice() {
            AwardRecordId id = known("first");
            send(KafkaTopics.FULFILMENT, id.text(), FULFILMENT_TYPE, granted(id, "receipt"));
            send(KafkaTopics.FULFILMENT, id.text(), FULFILMENT_TYPE, granted(id, "receipt"));
            assertThat(awaitCommands(id, 2))
                    .containsExactly(new GrantAward(id, "receipt"), new GrantAward(id, "receipt"));
            assertThat(reader.on(FULFILMENT_DEAD, id.text())).isEmpty();
        }

        @Test
        @DisplayName("An answer may be a rejection.")
        void rejected() {
            AwardRecordId id = known("first");
            send(
                    KafkaTopics.FULFILMENT,
                    id.text(),
                    FULFILMENT_TYPE,
                    "{\"awardRecordId\":\"" + id.text()
                            + "\",\"result\":\"REJECTED\",\"reference\":\"r\",\"reason\":\"closed\"}");
            assertThat(awaitCommands(id, 1)).containsExactly(new RejectGrant(id, "r", "closed"));
        }

        @Test
        @DisplayName("An answer that fails is retried, and those behind it wait.")
        void triedAgain() {
            // Answers of one batch are handled in the order of their ids.
            List<AwardRecordId> inOrder = Stream.of(known("one"), known("another"))
                    .sorted(Comparator.comparing(AwardRecordId::text))
                    .toList();
            AwardRecordId unlucky = inOrder.getFirst();
            AwardRecordId behind = inOrder.getLast();
            records.fail(unlucky, 2);
            String samePartition = unlucky.text();
            send(KafkaTopics.FULFILMENT, samePartition, FULFILMENT_TYPE, granted(unlucky, "receipt"));
            send(KafkaTopics.FULFILMENT, samePartition, FULFILMENT_TYPE, granted(behind, "receipt"));

            awaitCommands(behind, 1);

            assertThat(records.received())
                    .filteredOn(command -> command.awardRecordId().equals(unlucky)
                            || command.awardRecordId().equals(behind))
                    .extracting(AwardCommand::awardRecordId)
                    .containsExactly(unlucky, unlucky, unlucky, behind);
            assertThat(reader.on(FULFILMENT_DEAD, samePartition)).isEmpty();
        }

        @Test
        @DisplayName("An answer that keeps failing finally becomes a dead letter, and those behind it go on.")
        void givenUp() {
            AwardRecordId hopeless = known("hopeless");
            AwardRecordId behind = known("behind");
            records.fail(hopeless, Integer.MAX_VALUE);
            String samePartition = hopeless.text();
            send(KafkaTopics.FULFILMENT, samePartition, FULFILMENT_TYPE, granted(hopeless, "receipt"));
            send(KafkaTopics.FULFILMENT, samePartition, FULFILMENT_TYPE, granted(behind, "receipt"));

            awaitCommands(behind, 1);

            assertThat(records.receivedFor(hopeless)).hasSizeGreaterThan(2);
            ConsumerRecord<String, byte[]> dead =
                    awaitMessages(FULFILMENT_DEAD, samePartition, 1).getFirst();
            assertThat(textOf(dead)).isEqualTo(granted(hopeless, "receipt"));
            assertThat(headersOf(dead).get("lottery_cause"))
                    .contains(hopeless.text())
                    .contains("the database is away");
        }

        @Test
        @DisplayName("An answer that fails and then is unreadable becomes a dead letter, and those behind it go on.")
        void firstAwayThenUnknown() {
            AwardRecordId odd = known("odd");
            AwardRecordId behind = known("behind");
            records.fail(odd, 2);
            records.lose(odd);
            send(KafkaTopics.FULFILMENT, odd.text(), FULFILMENT_TYPE, granted(odd, "receipt"));
            send(KafkaTopics.FULFILMENT, odd.text(), FULFILMENT_TYPE, granted(behind, "receipt"));

            awaitCommands(behind, 1);

            assertThat(headersOf(awaitMessages(FULFILMENT_DEAD, odd.text(), 1).getFirst()))
                    .containsEntry("lottery_cause", "there is no " + odd.text());
            assertThat(records.receivedFor(odd)).hasSize(3);
        }

        @Test
        @DisplayName("An answer about an unknown award record becomes a dead letter at once.")
        void unknownRecord() {
            AwardRecordId refused = record("refused");
            AwardRecordId notFound = known("lost");
            records.lose(notFound);
            for (AwardRecordId unknown : List.of(refused, notFound)) {
                send(KafkaTopics.FULFILMENT, unknown.text(), FULFILMENT_TYPE, granted(unknown, "receipt"));
                ConsumerRecord<String, byte[]> dead =
                        awaitMessages(FULFILMENT_DEAD, unknown.text(), 1).getFirst();
                assertThat(headersOf(dead)).containsEntry("lottery_cause", "there is no " + unknown.text());
                assertThat(records.receivedFor(unknown)).hasSize(1);
            }
        }
    }

    @Nested
    @DisplayName("An unreadable message")
    class Rubbish {

        @Test
        @DisplayName("An unreadable answer becomes a dead letter with its cause, and those behind it arrive.")
        void amongAnswers() {
            AwardRecordId id = known("first");
            sendRubbish(KafkaTopics.FULFILMENT, id.text(), FULFILMENT_TYPE);
            send(
                    KafkaTopics.FULFILMENT,
                    id.text(),
                    FULFILMENT_TYPE,
                    granted(id, "receipt").replace("GRANTED", "MAYBE"));
            send(KafkaTopics.FULFILMENT, id.text(), FULFILMENT_TYPE, granted(id, "receipt"));

            assertThat(awaitCommands(id, 1)).containsExactly(new GrantAward(id, "receipt"));
            List<ConsumerRecord<String, byte[]>> dead = awaitMessages(FULFILMENT_DEAD, id.text(), 6);
            assertRubbish(dead.subList(0, 5), KafkaTopics.FULFILMENT, FULFILMENT_TYPE);
            assertThat(headersOf(dead.getLast()).get("lottery_cause")).contains("MAYBE");
        }

        @Test
        @DisplayName("An unreadable invoice becomes a dead letter with its cause, and those behind it are fulfilled.")
        void amongInvoices() {
            sendRubbish(KafkaTopics.INVOICE, user.value(), INVOICE_TYPE);
            AwardRecordId id = win("first");
            awaitGranted(id);

            List<ConsumerRecord<String, byte[]>> dead = awaitMessages(INVOICE_DEAD, user.value(), 5);
            assertRubbish(dead, KafkaTopics.INVOICE, INVOICE_TYPE);
        }

        @Test
        @DisplayName("A message that is too large for a dead letter leaves a note, and those behind it arrive.")
        void tooLarge() throws Exception {
            AwardRecordId id = known("behind");
            allowMessagesOf(6_000_000);
            ProducerFactory<String, byte[]> large = Objects.requireNonNull(kafka.getProducerFactory())
                    .copyWithConfigurationOverride(Map.of(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 6_000_000));
            try (Producer<String, byte[]> producer = large.createProducer()) {
                producer.send(new ProducerRecord<>(KafkaTopics.FULFILMENT, id.text(), new byte[5_000_000]))
                        .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
            send(KafkaTopics.FULFILMENT, id.text(), FULFILMENT_TYPE, granted(id, "receipt"));
            awaitCommands(id, 1);
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(reader.notes(FULFILMENT_DEAD))
                            .anySatisfy(note -> {
                                assertThat(note.value()).isNull();
                                assertThat(headersOf(note))
                                        .containsEntry("lottery_cause", "there is no ce_specversion")
                                        .containsEntry("kafka_dlt-original-topic", KafkaTopics.FULFILMENT)
                                        .containsKey("kafka_dlt-original-offset");
                                assertThat(Integer.parseInt(headersOf(note).getOrDefault("lottery_size", "0")))
                                        .isBetween(5_000_000, 5_000_100);
                            }));
        }

        private void allowMessagesOf(int bytes) throws Exception {
            try (Admin admin = Admin.create(topics.getConfigurationProperties())) {
                admin.incrementalAlterConfigs(Map.of(
                                new ConfigResource(ConfigResource.Type.TOPIC, KafkaTopics.FULFILMENT),
                                List.of(new AlterConfigOp(
                                        new ConfigEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(bytes)),
                                        AlterConfigOp.OpType.SET))))
                        .all()
                        .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
        }

        private void sendRubbish(String topic, String key, String type) {
            send(topic, key, type, null);
            send(topic, key, type, "{\"awardRecordId\":\"award");
            send(topic, key, "shop.opened.v1", "{}");
            send(topic, key, type.replace("v1", "v2"), "{}");
            send(topic, key, Map.of(), "hello");
        }

        private void assertRubbish(List<ConsumerRecord<String, byte[]>> dead, String topic, String type) {
            assertThat(dead)
                    .extracting(TopicReader::textOf)
                    .containsExactly(null, "{\"awardRecordId\":\"award", "{}", "{}", "hello");
            assertThat(dead)
                    .extracting(message -> headersOf(message).get("lottery_cause"))
                    .satisfiesExactly(
                            cause -> assertThat(cause).isEqualTo("there is no content"),
                            cause -> assertThat(cause).startsWith("the content is not understood"),
                            cause -> assertThat(cause).isEqualTo("ce_type is not " + type + " but shop.opened.v1"),
                            cause -> assertThat(cause).contains("but lottery.").contains(".v2"),
                            cause -> assertThat(cause).isEqualTo("there is no ce_specversion"));
            assertThat(dead).allSatisfy(message -> {
                assertThat(headersOf(message)).containsEntry("kafka_dlt-original-topic", topic);
                assertThat(headersOf(message).keySet())
                        .noneMatch(name -> name.contains("stacktrace") || name.contains("exception"));
            });
        }
    }

    @Test
    @DisplayName("The topics and their dead-letter topics are created with the configured number of partitions.")
    void topics() {
        assertThat(topics.describeTopics(KafkaTopics.INVOICE, KafkaTopics.FULFILMENT, INVOICE_DEAD, FULFILMENT_DEAD))
                .hasSize(4)
                .allSatisfy((name, topic) -> assertThat(topic.partitions()).hasSize(3));
    }
}
