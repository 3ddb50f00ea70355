package lottery.saga;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.UnsupportedEncodingException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.messaging.KafkaTopics;
import lottery.store.trace.Actor;
import lottery.store.trace.Actor.AccessScope;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.junit.jupiter.api.TestInfo;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.context.WebApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the desk like an operator, over HTTP, and makes the awards and dead letters that its tests are about. */
final class DeskClient {

    static final Duration LIMIT = Duration.ofSeconds(20);

    private static final ActivityId ACTIVITY = new ActivityId(100);
    private static final Instant NOON = Instant.parse("2026-11-21T04:00:00.123456Z");
    private static final String OPS = "/api/v1/ops";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final MockMvcTester mvc;
    private final AwardRecords records;
    private final CommandGateway commands;
    private final JdbcClient database;
    private final KafkaTemplate<String, byte[]> kafka;

    DeskClient(
            WebApplicationContext context,
            AwardRecords records,
            CommandGateway commands,
            JdbcClient database,
            KafkaTemplate<String, byte[]> kafka) {
        this.mvc = MockMvcTester.from(context);
        this.records = records;
        this.commands = commands;
        this.database = database;
        this.kafka = kafka;
    }

    /** Returns a user for one test alone, because all tests share one store and one broker. */
    static UserId userOf(TestInfo test) {
        return new UserId(test.getTestClass().orElseThrow().getSimpleName()
                + "-"
                + test.getTestMethod().orElseThrow().getName());
    }

    static AwardRecordId record(UserId user, String key) {
        return AwardRecordId.of(
                RaffleRequestIdentity.of(new AccountId(ACTIVITY, user), key).id());
    }

    AwardRecordId win(UserId user, String key, AwardType type, GrantTime time) {
        AwardRecordId id = record(user, key);
        records.win(new AwardWon(
                id,
                ACTIVITY,
                user,
                new Prize(101, "Coffee", type, 1, null),
                false,
                null,
                type == AwardType.CREDIT ? Map.of("credits", "7") : Map.of("text", "Show this"),
                time,
                Remedy.MANUAL,
                null,
                NOON,
                null));
        return id;
    }

    void tell(Object command) {
        commands.send(command).orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    void tellAs(String person, Object command) {
        try (var _ = Actor.open(new Actor(person, "desk", Set.of("desk"), AccessScope.ALL))) {
            tell(command);
        }
    }

    JsonNode get(String path) {
        return body(asked(path), 200);
    }

    JsonNode post(String path) {
        return body(posted(path), 200);
    }

    JsonNode post(String path, String body) {
        return body(posted(path, body), 200);
    }

    MvcTestResult asked(String path) {
        return mvc.get().uri(URI.create(OPS + path)).exchange();
    }

    MvcTestResult posted(String path) {
        return mvc.post().uri(URI.create(OPS + path)).exchange();
    }

    MvcTestResult posted(String path, String body) {
        return mvc.post()
                .uri(URI.create(OPS + path))
                .contentType(MediaType.APPLICATION_JSON)
                .content(body)
                .exchange();
    }

    /** Calls the desk as somebody. */
    MvcTestResult postedAs(String person, String path, String body) {
        try (var _ = Actor.open(new Actor(person, "desk", Set.of("desk"), AccessScope.ALL))) {
            return posted(path, body);
        }
    }

    /** Returns the path of the decision about what was proposed with this answer. */
    static String decision(JsonNode proposed) {
        return "/proposals/" + proposed.path("proposalId").asString() + "/decision";
    }

    static final String AGREE = "{\"decision\": \"AGREE\"}";

    static JsonNode body(MvcTestResult result, int status) {
        try {
            assertThat(result.getResponse().getStatus())
                    .as(result.getResponse().getContentAsString())
                    .isEqualTo(status);
            return JSON.readTree(result.getResponse().getContentAsString(UTF_8));
        } catch (UnsupportedEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<JsonNode> where(JsonNode items, String field, String value) {
        return StreamSupport.stream(items.spliterator(), false)
                .filter(item -> item.path(field).asString("").equals(value))
                .toList();
    }

    static String because(String reason) {
        return "{\"reason\": \"" + reason + "\"}";
    }

    List<JsonNode> decisionsAbout(String subject) {
        return where(get("/decisions?limit=100").path("decisions"), "subject", subject);
    }

    void awaitSaga(AwardRecordId id) {
        await("saga begun").atMost(LIMIT).until(() -> rowsOfSaga(id) == 1);
    }

    void awaitGranted(AwardRecordId id) {
        await("granted: " + id.text())
                .atMost(LIMIT)
                .until(() ->
                        records.eventsOf(id).stream().anyMatch(event -> event.getPayload() instanceof AwardGranted));
        await("saga ended: " + id.text()).atMost(LIMIT).until(() -> rowsOfSaga(id) == 0);
    }

    int rowsOfSaga(AwardRecordId id) {
        return database.sql("SELECT count(*) FROM saga WHERE association = ?")
                .param(id.text())
                .query(Integer.class)
                .single();
    }

    /** Stores an award record that has no saga, and returns its id. */
    AwardRecordId known(UserId user) {
        AwardRecordId id = record(user, "first");
        records.keep(id, user);
        return id;
    }

    /** Answers for an award like a fulfilment, with any content. */
    void answer(AwardRecordId id, String content) {
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

    List<JsonNode> deadLetters(AwardRecordId id, String state) {
        return where(
                get("/dead-letters?topic=lottery_fulfilment&limit=100&state=" + state)
                        .path("deadLetters"),
                "key",
                id.text());
    }

    JsonNode awaitDeadLetter(AwardRecordId id) {
        await("dead").atMost(LIMIT).until(() -> !deadLetters(id, "OPEN").isEmpty());
        return deadLetters(id, "OPEN").getFirst();
    }

    static String placeOf(JsonNode message) {
        return "/dead-letters/" + message.path("id").asLong();
    }

    FutureTask<Integer> askRetry(JsonNode message) {
        return new FutureTask<>(
                () -> posted(placeOf(message) + "/retry", "{}").getResponse().getStatus());
    }
}
