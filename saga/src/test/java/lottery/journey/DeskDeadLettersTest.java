package lottery.journey;

import static java.nio.charset.StandardCharsets.UTF_8;
import static lottery.journey.DeskClient.LIMIT;
import static lottery.journey.DeskClient.because;
import static lottery.journey.DeskClient.body;
import static lottery.journey.DeskClient.where;
import static lottery.journey.TopicReader.headersOf;
import static lottery.journey.TopicReader.textOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import lottery.api.UserId;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardRecordId;
import lottery.messaging.KafkaTopics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.test.context.TestConstructor;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("The desk shows dead letters, sends them again, drops them and deletes old ones.")
class DeskDeadLettersTest {

    private final DeskClient desk;
    private final AwardRecords records;
    private final TopicReader reader;
    private final KafkaTemplate<String, byte[]> kafka;
    private final KafkaAdmin broker;
    private final KafkaListenerEndpointRegistry listeners;
    private final JdbcClient database;
    private final TransactionTemplate transaction;
    private final Runnable expiry;

    private UserId user = new UserId("nobody");

    DeskDeadLettersTest(
            DeskClient desk,
            AwardRecords records,
            TopicReader reader,
            KafkaTemplate<String, byte[]> kafka,
            KafkaAdmin broker,
            KafkaListenerEndpointRegistry listeners,
            JdbcClient database,
            PlatformTransactionManager transactions,
            @Qualifier("lottery.journey.desk.DeadLetterExpiry") Runnable expiry) {
        this.desk = desk;
        this.records = records;
        this.reader = reader;
        this.kafka = kafka;
        this.broker = broker;
        this.listeners = listeners;
        this.database = database;
        this.transaction = new TransactionTemplate(transactions);
        this.expiry = expiry;
    }

    @BeforeEach
    void ownUser(TestInfo test) {
        user = DeskClient.userOf(test);
    }

    private AwardRecordId known() {
        AwardRecordId id = DeskClient.record(user, "first");
        records.keep(id, user);
        return id;
    }

    private void answer(AwardRecordId id, String content) {
        ProducerRecord<String, byte[]> message =
                new ProducerRecord<>(KafkaTopics.FULFILMENT, id.text(), content.getBytes(UTF_8));
        Map.of(
                        "ce_specversion", "1.0",
                        "ce_id", id.text() + "/answer",
                        "ce_source", "/shop",
                        "ce_type", "lottery.fulfilment.v1",
                        "x-shop", "Riga")
                .forEach((name, value) -> message.headers().add(name, value.getBytes(UTF_8)));
        kafka.send(message).orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    private String granted(AwardRecordId id) {
        return "{\"awardRecordId\":\"" + id.text() + "\",\"result\":\"GRANTED\",\"reference\":\"receipt\"}";
    }

    private List<JsonNode> dead(AwardRecordId id, String state) {
        return where(
                desk.get("/dead-letters?topic=lottery_fulfilment&limit=100&state=" + state)
                        .path("deadLetters"),
                "key",
                id.text());
    }

    private JsonNode awaitDead(AwardRecordId id) {
        await("dead").atMost(LIMIT).until(() -> !dead(id, "OPEN").isEmpty());
        return dead(id, "OPEN").getFirst();
    }

    private String place(JsonNode message) {
        return "/dead-letters/" + message.path("id").asLong();
    }

    @Test
    @DisplayName("A dead letter that is sent again after the fault is repaired is handled exactly once.")
    void retried() {
        AwardRecordId id = known();
        records.fail(id, Integer.MAX_VALUE);
        answer(id, granted(id));
        JsonNode dead = awaitDead(id);
        assertThat(dead.path("cause").asString()).contains("the database is away");
        assertThat(dead.path("topic").asString()).isEqualTo("lottery_fulfilment");
        assertThat(dead.path("type").asString()).isEqualTo("lottery.fulfilment.v1");
        assertThat(dead.path("preview").asString()).isEqualTo(granted(id));
        assertThat(dead.path("size").asInt()).isEqualTo(granted(id).length());
        assertThat(dead.path("partition").asInt())
                .isEqualTo(
                        reader.on(KafkaTopics.FULFILMENT, id.text()).getFirst().partition());
        assertThat(dead.path("offset").asLong())
                .isEqualTo(
                        reader.on(KafkaTopics.FULFILMENT, id.text()).getFirst().offset());

        records.fail(id, 0);
        int attempts = records.receivedFor(id).size();
        assertThat(desk.post(place(dead) + "/retry").path("state").asString()).isEqualTo("RETRIED");
        assertThat(desk.post(place(dead) + "/retry").path("state").asString()).isEqualTo("RETRIED");
        await("granted")
                .atMost(LIMIT)
                .until(() ->
                        records.eventsOf(id).stream().anyMatch(event -> event.getPayload() instanceof AwardGranted));
        // Another message with the same key follows the one that was sent.
        answer(id, granted(id));
        await("the last")
                .atMost(LIMIT)
                .until(() -> reader.on(KafkaTopics.FULFILMENT, id.text()).size() >= 3);
        await("both").atMost(LIMIT).until(() -> records.receivedFor(id).size() >= attempts + 2);
        assertThat(records.receivedFor(id)).hasSize(attempts + 2);
        var messages = reader.on(KafkaTopics.FULFILMENT, id.text());
        assertThat(messages).hasSize(3);
        assertThat(headersOf(messages.get(1))).isEqualTo(headersOf(messages.get(0)));
        assertThat(dead(id, "OPEN")).isEmpty();
        assertThat(dead(id, "RETRIED")).hasSize(1);
        assertThat(desk.decisionsAbout("dead-letter:" + dead.path("id").asLong()))
                .hasSize(1);
    }

    @Test
    @DisplayName("A dead letter that fails again is one more dead letter.")
    void diesAgain() {
        AwardRecordId id = known();
        answer(id, "rubbish");
        JsonNode first = awaitDead(id);
        desk.post(place(first) + "/retry");
        JsonNode second = awaitDead(id);
        assertThat(second.path("id").asLong()).isGreaterThan(first.path("id").asLong());
        assertThat(reader.on(KafkaTopics.FULFILMENT, id.text())).hasSize(2);
        assertThat(desk.post(place(second) + "/drop", because("rubbish"))
                        .path("state")
                        .asString())
                .isEqualTo("DROPPED");
        assertThat(desk.post(place(second) + "/drop", because("more"))
                        .path("reason")
                        .asString())
                .isEqualTo("rubbish");
        assertThat(desk.post(place(second) + "/retry").path("state").asString())
                .as("what was given up stays so")
                .isEqualTo("DROPPED");
        assertThat(dead(id, "DROPPED"))
                .singleElement()
                .satisfies(kept -> assertThat(kept.path("reason").asString()).isEqualTo("rubbish"));
    }

    @Test
    @DisplayName("A dead letter is deleted after 90 days, and not before.")
    void deletedWhenOld() {
        AwardRecordId id = known();
        answer(id, "nonsense");
        long number = awaitDead(id).path("id").asLong();
        for (String days : List.of("89", "91")) {
            assertThat(dead(id, "OPEN")).hasSize(1);
            database.sql("UPDATE dead_letter SET died_at = now() - (? || ' days')::interval WHERE id = ?")
                    .params(days, number)
                    .update();
            expiry.run();
        }
        assertThat(dead(id, "OPEN")).isEmpty();
    }

    @Test
    @DisplayName("All old dead letters are deleted at once, however many they are.")
    void manyOld() {
        AwardRecordId id = known();
        answer(id, "nonsense");
        long number = awaitDead(id).path("id").asLong();
        database.sql("""
                        INSERT INTO dead_letter (found_topic, found_partition, found_offset, died_at, topic, key_text,
                                                 type, cause, headers, content_kept, size_bytes, preview)
                        SELECT 'old', 0, n, now() - interval '91 days', topic, key_text,
                               type, cause, headers, false, size_bytes, preview
                        FROM dead_letter, generate_series(1, 2500) AS n WHERE id = ?""").param(number).update();
        expiry.run();
        assertThat(database.sql("SELECT count(*) FROM dead_letter WHERE found_topic = 'old'")
                        .query(Long.class)
                        .single())
                .isZero();
        assertThat(dead(id, "OPEN")).hasSize(1);
    }

    @Test
    @DisplayName("A large dead letter is not stored, and is read from its topic for the retry.")
    void large() {
        AwardRecordId id = known();
        answer(id, "x".repeat(100_000));
        JsonNode first = awaitDead(id);
        assertThat(first.path("size").asInt()).isEqualTo(100_000);
        assertThat(first.path("preview").asString()).hasSize(300);
        assertThat(database.sql("SELECT content IS NULL AND NOT content_kept FROM dead_letter WHERE id = ?")
                        .param(first.path("id").asLong())
                        .query(Boolean.class)
                        .single())
                .isTrue();
        desk.post(place(first) + "/retry");
        await("again")
                .atMost(LIMIT)
                .until(() -> reader.on(KafkaTopics.FULFILMENT, id.text()).size() == 2);
        var messages = reader.on(KafkaTopics.FULFILMENT, id.text());
        assertThat(textOf(messages.get(1))).isEqualTo(textOf(messages.get(0)));
        assertThat(headersOf(messages.get(1))).isEqualTo(headersOf(messages.get(0)));

        database.sql("UPDATE dead_letter SET found_offset = 1000000, state = 'OPEN' WHERE id = ?")
                .param(first.path("id").asLong())
                .update();
        body(desk.posted(place(first) + "/retry", "{}"), 404);
        assertThat(dead(id, "OPEN")).as("it stays open").isNotEmpty();
    }

    @Test
    @DisplayName("The retry of a large dead letter that has expired is refused as not found.")
    void expired() throws Exception {
        AwardRecordId id = known();
        answer(id, "x".repeat(100_000));
        JsonNode expired = awaitDead(id);
        forgetAllBehind(expired);

        body(desk.posted(place(expired) + "/retry", "{}"), 404);
        assertThat(dead(id, "OPEN")).as("it stays open").hasSize(1);
    }

    @Test
    @DisplayName("Two dead letters are sent again at once, and no more, because draws need the database too.")
    void manyAtOnce() throws Exception {
        AwardRecordId id = known();
        answer(id, "rubbish");
        JsonNode dead = awaitDead(id);
        List<FutureTask<Integer>> asked = List.of(askAgain(dead), askAgain(dead));
        transaction.executeWithoutResult(_ -> {
            database.sql("SELECT id FROM dead_letter WHERE id = ? FOR UPDATE")
                    .param(dead.path("id").asLong())
                    .query(Long.class)
                    .single();
            asked.forEach(Thread::startVirtualThread);
            await("both have come to the message").atMost(LIMIT).until(() -> waitingForDeadLetters() == 2);
            body(desk.posted(place(dead) + "/retry", "{}"), 503);
        });
        for (FutureTask<Integer> each : asked) {
            assertThat(each.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(200);
        }
        await("it died again").atMost(LIMIT).until(() -> dead(id, "OPEN").size() == 1);
        assertThat(dead(id, "RETRIED")).hasSize(1);
        assertThat(desk.post(place(dead) + "/retry").path("state").asString()).isEqualTo("RETRIED");
    }

    private FutureTask<Integer> askAgain(JsonNode message) {
        return new FutureTask<>(
                () -> desk.posted(place(message) + "/retry", "{}").getResponse().getStatus());
    }

    private int waitingForDeadLetters() {
        return database.sql("""
                        SELECT count(*) FROM pg_stat_activity
                        WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE dead_letter %'""").query(Integer.class).single();
    }

    @Test
    @DisplayName("The retry of a large dead letter holds no database connection while it is read.")
    void fetchedBefore() {
        AwardRecordId id = known();
        answer(id, "x".repeat(100_000));
        JsonNode dead = awaitDead(id);
        // Without such a topic the broker is asked in vain for seconds.
        database.sql("UPDATE dead_letter SET found_topic = 'lottery_nowhere_dlt' WHERE id = ?")
                .param(dead.path("id").asLong())
                .update();
        FutureTask<Integer> asked = askAgain(dead);
        Thread asking = Thread.ofPlatform().start(asked);
        await("it is being fetched")
                .atMost(LIMIT)
                .until(() -> Arrays.stream(asking.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().contains("KafkaConsumer")));
        assertThat(database.sql("SELECT id FROM dead_letter WHERE id = ? FOR UPDATE NOWAIT")
                        .param(dead.path("id").asLong())
                        .query(Long.class)
                        .single())
                .as("whoever wants to decide about it now can")
                .isEqualTo(dead.path("id").asLong());
        assertThat(asked.isDone()).isFalse();
        await("given up").atMost(LIMIT).until(asked::isDone);
        assertThat(asked.resultNow()).isEqualTo(503);
    }

    /** Empties a partition, like a broker whose messages have all expired. */
    private void forgetAllBehind(JsonNode message) throws Exception {
        int partition = database.sql("SELECT found_partition FROM dead_letter WHERE id = ?")
                .param(message.path("id").asLong())
                .query(Integer.class)
                .single();
        try (Admin admin = Admin.create(broker.getConfigurationProperties())) {
            admin.deleteRecords(Map.of(
                            new TopicPartition("lottery_fulfilment_dlt", partition), RecordsToDelete.beforeOffset(-1)))
                    .all()
                    .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    @DisplayName("A note shows the size of its message, and is not sent again without the content.")
    void note() {
        String cause = "too large " + user;
        ProducerRecord<String, byte[]> note = new ProducerRecord<>("lottery_fulfilment_dlt", null, null);
        note.headers().add("lottery_cause", cause.getBytes(UTF_8)).add("lottery_size", "5000000".getBytes(UTF_8));
        kafka.send(note).orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        await("the note")
                .atMost(LIMIT)
                .until(() -> !where(desk.get("/dead-letters?limit=100").path("deadLetters"), "cause", cause)
                        .isEmpty());
        JsonNode shown = where(desk.get("/dead-letters?limit=100").path("deadLetters"), "cause", cause)
                .getFirst();
        assertThat(shown.path("size").asInt()).isEqualTo(5_000_000);

        assertThat(desk.posted(place(shown) + "/retry", "{}").getResponse().getStatus())
                .isEqualTo(404);

        assertThat(where(desk.get("/dead-letters?limit=100").path("deadLetters"), "cause", cause))
                .as("it stays open, and no other came of it")
                .hasSize(1);
    }

    @Test
    @DisplayName("A dead letter is stored once, even if all are read again, and whatever a stranger wrote.")
    void readAgain() throws Exception {
        AwardRecordId id = known();
        ProducerRecord<String, byte[]> strange =
                new ProducerRecord<>("lottery_fulfilment_dlt", id.text(), new byte[] {0, (byte) 0xff, 27, 'x'});
        strange.headers().add("ce_type", new byte[] {0, (byte) 0xc3}).add("odd", null);
        strange.headers().add("kafka_dlt-original-partition", new byte[] {1});
        kafka.send(strange).orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(awaitDead(id).path("cause").asString()).isEqualTo("no cause was given");

        MessageListenerContainer container = listeners.getListenerContainers().stream()
                .filter(each -> "lottery-desk".equals(each.getGroupId()))
                .findFirst()
                .orElseThrow();
        container.stop();
        try (Admin admin = Admin.create(broker.getConfigurationProperties())) {
            await("nobody reads")
                    .atMost(LIMIT)
                    .ignoreExceptions()
                    .untilAsserted(() -> admin.deleteConsumerGroups(List.of("lottery-desk"))
                            .all()
                            .get(5, TimeUnit.SECONDS));
        }
        container.start();
        kafka.send("lottery_fulfilment_dlt", id.text(), "another".getBytes(UTF_8))
                .orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS)
                .join();
        await("the next one").atMost(LIMIT).until(() -> dead(id, "OPEN").size() >= 2);
        assertThat(dead(id, "OPEN"))
                .extracting(message -> message.path("preview").asString())
                .containsExactly("another", " � x");
    }
}
