package lottery.saga;

import static java.nio.charset.StandardCharsets.UTF_8;
import static lottery.saga.DeskClient.LIMIT;
import static lottery.saga.DeskClient.body;
import static lottery.saga.DeskClient.where;
import static lottery.saga.TopicReader.headersOf;
import static lottery.saga.TopicReader.textOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import lottery.api.UserId;
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
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.test.context.TestConstructor;
import tools.jackson.databind.JsonNode;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("The content of a large dead letter stays in its topic, and is read from there for a retry.")
class DeskLargeDeadLettersTest {

    private final DeskClient desk;
    private final TopicReader reader;
    private final KafkaTemplate<String, byte[]> kafka;
    private final KafkaAdmin broker;
    private final JdbcClient database;

    private UserId user = new UserId("nobody");

    DeskLargeDeadLettersTest(
            DeskClient desk,
            TopicReader reader,
            KafkaTemplate<String, byte[]> kafka,
            KafkaAdmin broker,
            JdbcClient database) {
        this.desk = desk;
        this.reader = reader;
        this.kafka = kafka;
        this.broker = broker;
        this.database = database;
    }

    @BeforeEach
    void ownUser(TestInfo test) {
        user = DeskClient.userOf(test);
    }

    @Test
    @DisplayName("A large dead letter is not stored, and is read from its topic for the retry.")
    void large() {
        AwardRecordId id = desk.known(user);
        desk.answer(id, "x".repeat(100_000));
        JsonNode first = desk.awaitDeadLetter(id);
        assertThat(first.path("size").asInt()).isEqualTo(100_000);
        assertThat(first.path("preview").asString()).hasSize(300);
        assertThat(database.sql("SELECT content IS NULL AND NOT content_kept FROM dead_letter WHERE id = ?")
                        .param(first.path("id").asLong())
                        .query(Boolean.class)
                        .single())
                .isTrue();
        desk.post(DeskClient.placeOf(first) + "/retry");
        await("again")
                .atMost(LIMIT)
                .until(() -> reader.on(KafkaTopics.FULFILMENT, id.text()).size() == 2);
        var messages = reader.on(KafkaTopics.FULFILMENT, id.text());
        assertThat(textOf(messages.get(1))).isEqualTo(textOf(messages.get(0)));
        assertThat(headersOf(messages.get(1))).isEqualTo(headersOf(messages.get(0)));

        database.sql("UPDATE dead_letter SET found_offset = 1000000, state = 'OPEN' WHERE id = ?")
                .param(first.path("id").asLong())
                .update();
        body(desk.posted(DeskClient.placeOf(first) + "/retry", "{}"), 404);
        assertThat(desk.deadLetters(id, "OPEN")).as("it stays open").isNotEmpty();
    }

    @Test
    @DisplayName("The retry of a large dead letter that has expired is refused as not found.")
    void expired() throws Exception {
        AwardRecordId id = desk.known(user);
        desk.answer(id, "x".repeat(100_000));
        JsonNode expired = desk.awaitDeadLetter(id);
        forgetAllBehind(expired);

        body(desk.posted(DeskClient.placeOf(expired) + "/retry", "{}"), 404);
        assertThat(desk.deadLetters(id, "OPEN")).as("it stays open").hasSize(1);
    }

    @Test
    @DisplayName("The retry of a large dead letter holds no database connection while it is read.")
    void fetchedBefore() {
        AwardRecordId id = desk.known(user);
        desk.answer(id, "x".repeat(100_000));
        JsonNode dead = desk.awaitDeadLetter(id);
        // Without such a topic the broker is asked in vain for seconds.
        database.sql("UPDATE dead_letter SET found_topic = 'lottery_nowhere_dlt' WHERE id = ?")
                .param(dead.path("id").asLong())
                .update();
        FutureTask<Integer> asked = desk.askRetry(dead);
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

        assertThat(desk.posted(DeskClient.placeOf(shown) + "/retry", "{}")
                        .getResponse()
                        .getStatus())
                .isEqualTo(404);

        assertThat(where(desk.get("/dead-letters?limit=100").path("deadLetters"), "cause", cause))
                .as("it stays open, and no other came of it")
                .hasSize(1);
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
}
