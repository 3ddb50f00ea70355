package lottery.saga;

import static java.nio.charset.StandardCharsets.UTF_8;
import static lottery.saga.DeskClient.LIMIT;
import static lottery.saga.DeskClient.because;
import static lottery.saga.DeskClient.body;
import static lottery.saga.TopicReader.headersOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import lottery.api.UserId;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardRecordId;
import lottery.messaging.KafkaTopics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;
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
            @Qualifier("lottery.saga.desk.DeadLetterExpiry") Runnable expiry) {
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

    private String granted(AwardRecordId id) {
        return "{\"awardRecordId\":\"" + id.text() + "\",\"result\":\"GRANTED\",\"reference\":\"receipt\"}";
    }

    @Test
    @DisplayName("A dead letter that is sent again after the fault is repaired is handled exactly once.")
    void retried() {
        AwardRecordId id = desk.known(user);
        records.fail(id, Integer.MAX_VALUE);
        desk.answer(id, granted(id));
        JsonNode dead = desk.awaitDeadLetter(id);
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
        assertThat(desk.post(DeskClient.placeOf(dead) + "/retry").path("state").asString())
                .isEqualTo("RETRIED");
        assertThat(desk.post(DeskClient.placeOf(dead) + "/retry").path("state").asString())
                .isEqualTo("RETRIED");
        await("granted")
                .atMost(LIMIT)
                .until(() ->
                        records.eventsOf(id).stream().anyMatch(event -> event.getPayload() instanceof AwardGranted));
        // Another message with the same key follows the one that was sent.
        desk.answer(id, granted(id));
        await("the last")
                .atMost(LIMIT)
                .until(() -> reader.on(KafkaTopics.FULFILMENT, id.text()).size() >= 3);
        await("both").atMost(LIMIT).until(() -> records.receivedFor(id).size() >= attempts + 2);
        assertThat(records.receivedFor(id)).hasSize(attempts + 2);
        var messages = reader.on(KafkaTopics.FULFILMENT, id.text());
        assertThat(messages).hasSize(3);
        assertThat(headersOf(messages.get(1))).isEqualTo(headersOf(messages.get(0)));
        assertThat(desk.deadLetters(id, "OPEN")).isEmpty();
        assertThat(desk.deadLetters(id, "RETRIED")).hasSize(1);
        assertThat(desk.decisionsAbout("dead-letter:" + dead.path("id").asLong()))
                .hasSize(1);
    }

    @Test
    @DisplayName("A dead letter that fails again is one more dead letter.")
    void diesAgain() {
        AwardRecordId id = desk.known(user);
        desk.answer(id, "rubbish");
        JsonNode first = desk.awaitDeadLetter(id);
        desk.post(DeskClient.placeOf(first) + "/retry");
        JsonNode second = desk.awaitDeadLetter(id);
        assertThat(second.path("id").asLong()).isGreaterThan(first.path("id").asLong());
        assertThat(reader.on(KafkaTopics.FULFILMENT, id.text())).hasSize(2);
        assertThat(desk.post(DeskClient.placeOf(second) + "/drop", because("rubbish"))
                        .path("state")
                        .asString())
                .isEqualTo("DROPPED");
        assertThat(desk.post(DeskClient.placeOf(second) + "/drop", because("more"))
                        .path("reason")
                        .asString())
                .isEqualTo("rubbish");
        assertThat(desk.post(DeskClient.placeOf(second) + "/retry")
                        .path("state")
                        .asString())
                .as("what was given up stays so")
                .isEqualTo("DROPPED");
        assertThat(desk.deadLetters(id, "DROPPED"))
                .singleElement()
                .satisfies(kept -> assertThat(kept.path("reason").asString()).isEqualTo("rubbish"));
    }

    @Test
    @DisplayName("A dead letter is deleted after 90 days, and not before.")
    void deletedWhenOld() {
        AwardRecordId id = desk.known(user);
        desk.answer(id, "nonsense");
        long number = desk.awaitDeadLetter(id).path("id").asLong();
        for (String days : List.of("89", "91")) {
            assertThat(desk.deadLetters(id, "OPEN")).hasSize(1);
            database.sql("UPDATE dead_letter SET died_at = now() - (? || ' days')::interval WHERE id = ?")
                    .params(days, number)
                    .update();
            expiry.run();
        }
        assertThat(desk.deadLetters(id, "OPEN")).isEmpty();
    }

    @Test
    @DisplayName("All old dead letters are deleted at once, however many they are.")
    void manyOld() {
        AwardRecordId id = desk.known(user);
        desk.answer(id, "nonsense");
        long number = desk.awaitDeadLetter(id).path("id").asLong();
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
        assertThat(desk.deadLetters(id, "OPEN")).hasSize(1);
    }

    @Test
    @DisplayName("Two dead letters are sent again at once, and no more, because draws need the database too.")
    void manyAtOnce() throws Exception {
        AwardRecordId id = desk.known(user);
        desk.answer(id, "rubbish");
        JsonNode dead = desk.awaitDeadLetter(id);
        List<FutureTask<Integer>> asked = List.of(desk.askRetry(dead), desk.askRetry(dead));
        transaction.executeWithoutResult(_ -> {
            database.sql("SELECT id FROM dead_letter WHERE id = ? FOR UPDATE")
                    .param(dead.path("id").asLong())
                    .query(Long.class)
                    .single();
            asked.forEach(Thread::startVirtualThread);
            await("both have come to the message").atMost(LIMIT).until(() -> waitingForDeadLetters() == 2);
            body(desk.posted(DeskClient.placeOf(dead) + "/retry", "{}"), 503);
        });
        for (FutureTask<Integer> each : asked) {
            assertThat(each.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(200);
        }
        await("it died again")
                .atMost(LIMIT)
                .until(() -> desk.deadLetters(id, "OPEN").size() == 1);
        assertThat(desk.deadLetters(id, "RETRIED")).hasSize(1);
        assertThat(desk.post(DeskClient.placeOf(dead) + "/retry").path("state").asString())
                .isEqualTo("RETRIED");
    }

    private int waitingForDeadLetters() {
        return database.sql("""
                        SELECT count(*) FROM pg_stat_activity
                        WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE dead_letter %'""").query(Integer.class).single();
    }

    @Test
    @DisplayName("A dead letter is stored once, even if all are read again, and whatever a stranger wrote.")
    void readAgain() throws Exception {
        AwardRecordId id = desk.known(user);
        ProducerRecord<String, byte[]> strange =
                new ProducerRecord<>("lottery_fulfilment_dlt", id.text(), new byte[] {0, (byte) 0xff, 27, 'x'});
        strange.headers().add("ce_type", new byte[] {0, (byte) 0xc3}).add("odd", null);
        strange.headers().add("kafka_dlt-original-partition", new byte[] {1});
        kafka.send(strange).orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(desk.awaitDeadLetter(id).path("cause").asString()).isEqualTo("no cause was given");

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
        await("the next one")
                .atMost(LIMIT)
                .until(() -> desk.deadLetters(id, "OPEN").size() >= 2);
        assertThat(desk.deadLetters(id, "OPEN"))
                .extracting(message -> message.path("preview").asString())
                .containsExactly("another", " � x");
    }
}
