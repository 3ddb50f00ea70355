package lottery.journey;

import static java.nio.charset.StandardCharsets.UTF_8;
import static lottery.journey.TopicReader.headersOf;
import static lottery.journey.TopicReader.textOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.io.UnsupportedEncodingException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.Address;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardCommand.LeaveToDesk;
import lottery.api.award.AwardCommand.RejectGrant;
import lottery.api.award.AwardEvent.AwardDispatchFailed;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.Prize;
import lottery.api.raffle.Request;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.GrantTime.Timing;
import lottery.api.strategy.Remedy;
import lottery.messaging.KafkaTopics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.test.context.TestConstructor;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.context.WebApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("The desk")
class DeskTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ActivityId ACTIVITY = new ActivityId(100);
    private static final Instant NOON = Instant.parse("2026-11-21T04:00:00.123456Z");
    private static final String OPS = "/api/v1/ops";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final MockMvcTester mvc;
    private final AwardRecords records;
    private final CreditAccounts credits;
    private final CommandGateway commands;
    private final TopicReader reader;
    private final UnsteadyPublisher post;
    private final KafkaTemplate<String, byte[]> kafka;
    private final KafkaAdmin broker;
    private final KafkaListenerEndpointRegistry listeners;
    private final JdbcClient database;
    private final TransactionTemplate transaction;
    private final Runnable expiry;

    private UserId user = new UserId("nobody");

    DeskTest(
            WebApplicationContext context,
            AwardRecords records,
            CreditAccounts credits,
            CommandGateway commands,
            TopicReader reader,
            UnsteadyPublisher post,
            KafkaTemplate<String, byte[]> kafka,
            KafkaAdmin broker,
            KafkaListenerEndpointRegistry listeners,
            JdbcClient database,
            PlatformTransactionManager transactions,
            @Qualifier("lottery.journey.desk.DeadLetterExpiry") Runnable expiry) {
        this.mvc = MockMvcTester.from(context);
        this.records = records;
        this.credits = credits;
        this.commands = commands;
        this.reader = reader;
        this.post = post;
        this.kafka = kafka;
        this.broker = broker;
        this.listeners = listeners;
        this.database = database;
        this.transaction = new TransactionTemplate(transactions);
        this.expiry = expiry;
    }

    /** Gives each test its own user: all tests share one store and one broker. */
    @BeforeEach
    void ownUser(TestInfo test) {
        user = new UserId(test.getTestClass().orElseThrow().getSimpleName()
                + "-"
                + test.getTestMethod().orElseThrow().getName());
    }

    private AwardRecordId record(String key) {
        return AwardRecordId.of(Request.of(new AccountId(ACTIVITY, user), key).id());
    }

    private AwardRecordId win(String key, AwardType type, GrantTime time) {
        AwardRecordId id = record(key);
        records.win(new AwardWon(
                id,
                ACTIVITY,
                user,
                new Prize(101, "Coffee", type, 1, null),
                null,
                type == AwardType.CREDIT ? Map.of("credits", "7") : Map.of("text", "Show this"),
                time,
                Remedy.MANUAL,
                null,
                NOON,
                null));
        return id;
    }

    private void tell(Object command) {
        commands.send(command).orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    private JsonNode get(String path) {
        return body(mvc.get().uri(OPS + path).exchange(), 200);
    }

    private JsonNode post(String path) {
        return body(mvc.post().uri(OPS + path).exchange(), 200);
    }

    private MvcTestResult posted(String path, String body) {
        return mvc.post()
                .uri(OPS + path)
                .contentType(MediaType.APPLICATION_JSON)
                .content(body)
                .exchange();
    }

    private JsonNode post(String path, String body) {
        return body(posted(path, body), 200);
    }

    private static JsonNode body(MvcTestResult result, int status) {
        try {
            assertThat(result.getResponse().getStatus())
                    .as(result.getResponse().getContentAsString())
                    .isEqualTo(status);
            return JSON.readTree(result.getResponse().getContentAsString(UTF_8));
        } catch (UnsupportedEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<JsonNode> where(JsonNode items, String field, String value) {
        return StreamSupport.stream(items.spliterator(), false)
                .filter(item -> item.path(field).asString("").equals(value))
                .toList();
    }

    private static String because(String reason) {
        return "{\"reason\": \"" + reason + "\"}";
    }

    private void awaitGranted(AwardRecordId id) {
        await("granted: " + id.text())
                .atMost(LIMIT)
                .until(() ->
                        records.eventsOf(id).stream().anyMatch(event -> event.getPayload() instanceof AwardGranted));
        await("journey ended: " + id.text()).atMost(LIMIT).until(() -> rowsOfJourney(id) == 0);
    }

    private int rowsOfJourney(AwardRecordId id) {
        return database.sql("SELECT count(*) FROM saga WHERE association = ?")
                .param(id.text())
                .query(Integer.class)
                .single();
    }

    private List<JsonNode> decisionsAbout(String subject) {
        return where(get("/decisions?limit=100").path("decisions"), "subject", subject);
    }

    @Nested
    @DisplayName("Parked events")
    class Parked {

        private AwardRecordId parkedWin() {
            AwardRecordId id = record("first");
            post.lose(KafkaTopics.INVOICE, id.text(), Integer.MAX_VALUE);
            win("first", AwardType.TEXT, GrantTime.AT_ONCE);
            await("parked").atMost(LIMIT).until(() -> parked(id).size() == 1);
            return id;
        }

        private List<JsonNode> parked(AwardRecordId id) {
            return where(get("/parked-events?processor=grants&limit=100").path("parkedEvents"), "sequence", id.text());
        }

        private String place(JsonNode parked) {
            return "/parked-events/grants/" + parked.path("position").asLong();
        }

        @Test
        @DisplayName("A parked event is shown with its cause, and its retry succeeds after the fault is repaired.")
        void retried() {
            AwardRecordId id = parkedWin();
            JsonNode parked = parked(id).getFirst();
            assertThat(parked.path("event").asString()).isEqualTo("award.won");
            assertThat(parked.path("subject").asString()).isEqualTo(id.text());
            assertThat(parked.path("cause").asString()).contains("the broker is away");
            assertThat(parked.path("attempts").asInt()).isPositive();
            assertThat(Instant.parse(parked.path("retryAt").asString()))
                    .isAfter(Instant.parse(parked.path("parkedAt").asString()));
            assertThat(parked.path("behind").asInt()).isZero();

            // The next retry is far away, so that the operator's retry is the one that succeeds.
            database.sql("UPDATE parked_event SET retry_at = now() + interval '1 hour' WHERE sequence_id = ?")
                    .param(id.text())
                    .update();
            post.lose(KafkaTopics.INVOICE, id.text(), 0);
            assertThat(post(place(parked) + "/retry").path("position").asLong())
                    .isEqualTo(parked.path("position").asLong());
            awaitGranted(id);
            assertThat(parked(id)).isEmpty();
            assertThat(decisionsAbout(
                            "parked-event:grants/" + parked.path("position").asLong()))
                    .extracting(decision -> decision.path("action").asString())
                    .containsExactly("RETRY");
        }

        @Test
        @DisplayName("The events behind a dropped one go on, and the reason is stored.")
        void dropped() {
            AwardRecordId id = parkedWin();
            tell(new GrantAward(id, "by hand"));
            await("one behind")
                    .atMost(LIMIT)
                    .until(() -> parked(id).getFirst().path("behind").asInt() == 1);
            assertThat(get("/parked-events?sequence=" + id.text())
                            .path("parkedEvents")
                            .size())
                    .as("all of one sequence")
                    .isEqualTo(2);
            database.sql("UPDATE parked_event SET retry_at = now() + interval '1 hour' WHERE sequence_id = ?")
                    .param(id.text())
                    .update();

            JsonNode win = parked(id).getFirst();
            JsonNode answer = post(place(win) + "/drop", because("no coffee left"));
            assertThat(answer.path("droppedBecause").asString()).isEqualTo("no coffee left");
            await("the one behind is handled")
                    .atMost(LIMIT)
                    .until(() -> parked(id).isEmpty());
            assertThat(database.sql("SELECT dropped_because FROM parked_event WHERE sequence_id = ?")
                            .param(id.text())
                            .query(String.class)
                            .list())
                    .containsExactly("no coffee left");

            assertThat(where(get("/parked-events?dropped=true&limit=100").path("parkedEvents"), "sequence", id.text()))
                    .singleElement()
                    .satisfies(kept -> {
                        assertThat(kept.path("droppedBecause").asString()).isEqualTo("no coffee left");
                        assertThat(kept.path("droppedAt").asString()).isNotEmpty();
                    });
            assertThat(post(place(win) + "/drop", because("another reason"))
                            .path("droppedBecause")
                            .asString())
                    .as("the first reason counts")
                    .isEqualTo("no coffee left");
            assertThat(post(place(win) + "/retry").path("droppedBecause").asString())
                    .isEqualTo("no coffee left");
            post.lose(KafkaTopics.INVOICE, id.text(), 0);
            assertThat(decisionsAbout(
                            "parked-event:grants/" + win.path("position").asLong()))
                    .singleElement()
                    .satisfies(decision -> {
                        assertThat(decision.path("action").asString()).isEqualTo("DROP");
                        assertThat(decision.path("reason").asString()).isEqualTo("no coffee left");
                    });
        }

        @Test
        @DisplayName("Parked events are listed in pages.")
        void pages() {
            database.sql("""
                            INSERT INTO parked_event (processor, position, sequence_id, cause, retry_at)
                            SELECT 'recharges', 1000000 + i, 'sequence ' || i, 'a test', now() + interval '1 hour'
                            FROM generate_series(1, 5) AS i""").update();
            try {
                JsonNode first = get("/parked-events?processor=recharges&limit=3");
                assertThat(first.path("parkedEvents").size()).isEqualTo(3);
                JsonNode second = get("/parked-events?processor=recharges&limit=3&cursor="
                        + first.path("next").asString());
                assertThat(where(second.path("parkedEvents"), "cause", "a test"))
                        .extracting(event -> event.path("sequence").asString())
                        .containsExactly("sequence 4", "sequence 5");
                assertThat(second.path("next").asString("")).isEmpty();
            } finally {
                database.sql("DELETE FROM parked_event WHERE processor = 'recharges'")
                        .update();
            }
        }
    }

    @Nested
    @DisplayName("Awards that wait for an operator")
    class Waiting {

        private List<JsonNode> waitingFor(String what, AwardRecordId id) {
            return where(get("/grants?limit=100&waitsFor=" + what).path("grants"), "awardRecordId", id.text());
        }

        @Test
        @DisplayName("An award that waits for its release is shown, and handed over when it is released.")
        void release() {
            AwardRecordId id = win("first", AwardType.TEXT, new GrantTime(Timing.MANUAL, null));
            await("on the desk")
                    .atMost(LIMIT)
                    .until(() -> waitingFor("release", id).size() == 1);
            JsonNode waiting = waitingFor("release", id).getFirst();
            assertThat(waiting.path("userId").asString()).isEqualTo(user.value());
            assertThat(waiting.path("activityId").asLong()).isEqualTo(100);
            assertThat(waiting.path("award").path("title").asString()).isEqualTo("Coffee");
            assertThat(waiting.path("since").asString()).isEqualTo("2026-11-21T04:00:00.123456Z");

            assertThat(post("/award-records/" + id.text() + "/release")
                            .path("awardRecordId")
                            .asString())
                    .isEqualTo(id.text());
            awaitGranted(id);
            assertThat(waitingFor("release", id)).isEmpty();
            assertThat(decisionsAbout(id.text())).hasSize(1);
        }

        @Test
        @DisplayName("An award that waits for a decision is shown with every cause, and the decision compensates it.")
        void remedy() {
            AwardRecordId id = win("first", AwardType.PHYSICAL, GrantTime.AT_ONCE);
            await("journey begun").atMost(LIMIT).until(() -> rowsOfJourney(id) == 1);
            tell(new RejectGrant(id, "4711", "the shop is closed"));
            await("on the desk")
                    .atMost(LIMIT)
                    .untilAsserted(() -> assertThat(waitingFor("person", id))
                            .singleElement()
                            .satisfies(
                                    waiting -> assertThat(waiting.path("cause").asString())
                                            .isEqualTo("fulfilment has rejected it (4711): the shop is closed;"
                                                    + " fulfilment has rejected it, and a person was to decide then")));

            assertThat(post(
                                    "/award-records/" + id.text() + "/remedy",
                                    "{\"remedy\": \"RETURN_CHANCE\", \"reason\": \"she asked for it\"}")
                            .path("state")
                            .asString())
                    .isEqualTo("COMPENSATED");
            await("off the desk")
                    .atMost(LIMIT)
                    .until(() -> waitingFor("person", id).isEmpty());
            assertThat(decisionsAbout(id.text())).singleElement().satisfies(decision -> {
                assertThat(decision.path("action").asString()).isEqualTo("RETURN_CHANCE");
                assertThat(decision.path("reason").asString()).isEqualTo("she asked for it");
            });
        }

        @Test
        @DisplayName("An award without an answer can be invoiced again, with a message of its own and a reason.")
        void invoicedAgain() {
            AwardRecordId id = win("first", AwardType.PHYSICAL, GrantTime.AT_ONCE);
            await("journey begun").atMost(LIMIT).until(() -> rowsOfJourney(id) == 1);
            String again = again(id);
            body(posted(again, because("nobody knows where to")), 409);
            records.claim(id, new Address("Ann", "123", "Bay Road 1", null, "at the back"));
            await("the first one").atMost(LIMIT).until(() -> invoicesOf(id).size() == 1);
            tell(new LeaveToDesk(id, "nobody has answered"));
            await("on the desk")
                    .atMost(LIMIT)
                    .until(() -> waitingFor("person", id).size() == 1);

            assertThat(posted(again, "{}")).hasStatus(400);
            post.lose(KafkaTopics.INVOICE, id.text(), 1);
            body(posted(again, because("the broker is away")), 503);
            assertThat(decisionsAbout(id.text())).isEmpty();
            assertThat(post(again, because("their server was new"))
                            .path("state")
                            .asString())
                    .isEqualTo("ON_DESK");
            post(again, because("and is newer now"));
            await("three").atMost(LIMIT).until(() -> invoicesOf(id).size() == 3);
            assertThat(invoicesOf(id))
                    .extracting(message -> headersOf(message).get("ce_id"))
                    .containsExactly(id.text() + "/invoice/1", id.text() + "/invoice/6", id.text() + "/invoice/7");
            assertThat(invoicesOf(id))
                    .extracting(message -> String.valueOf(textOf(message)).replaceAll("\"attempt\":\\d", ""))
                    .as("all the same but for the attempt")
                    .allMatch(text -> text.contains("Bay Road 1"))
                    .satisfies(texts -> assertThat(Set.copyOf(texts)).hasSize(1));
            assertThat(decisionsAbout(id.text()))
                    .extracting(
                            decision -> decision.path("action").asString(),
                            decision -> decision.path("reason").asString())
                    .containsExactly(tuple("INVOICE", "and is newer now"), tuple("INVOICE", "their server was new"));

            tell(new GrantAward(id, "their number"));
            awaitGranted(id);
            body(posted(again, because("too late")), 409);
            body(posted(again(record("never won")), because("no")), 404);
        }

        @Test
        @DisplayName("An award that could not be handed over directly is handed over at the operator's request.")
        void handedOverAgain() {
            AwardRecordId id = record("first");
            credits.fail(id.text(), 2);
            win("first", AwardType.CREDIT, GrantTime.AT_ONCE);
            await("it is known that it failed")
                    .atMost(LIMIT)
                    .untilAsserted(() -> assertThat(
                                    records.eventsOf(id).getLast().getPayload())
                            .isInstanceOfSatisfying(
                                    AwardDispatchFailed.class,
                                    failed -> assertThat(failed.reason()).contains("the database is away")));
            body(posted(again(id), because("the first time did not help")), 503);
            assertThat(decisionsAbout(id.text())).isEmpty();
            assertThat(post(again(id), because("it is mended")).path("state").asString())
                    .isEqualTo("GRANTED");
            assertThat(credits.of(user)).hasSize(1);
            assertThat(decisionsAbout(id.text())).hasSize(1);
            await("journey ended").atMost(LIMIT).until(() -> rowsOfJourney(id) == 0);
            assertThat(invoicesOf(id)).isEmpty();
        }

        @Test
        @DisplayName("Two requests for an invoice at once send a message each, and a third one is refused as busy.")
        void invoicedAgainAtOnce() throws Exception {
            AwardRecordId id = win("first", AwardType.PHYSICAL, GrantTime.AT_ONCE);
            await("journey begun").atMost(LIMIT).until(() -> rowsOfJourney(id) == 1);
            records.claim(id, new Address("Ann", "123", "Bay Road 1", null, null));
            await("the first one").atMost(LIMIT).until(() -> invoicesOf(id).size() == 1);
            tell(new LeaveToDesk(id, "nobody has answered"));
            List<FutureTask<Integer>> asked = List.of(askAgain(id), askAgain(id));
            transaction.executeWithoutResult(_ -> {
                // All can count decisions, and none can be stored before this is over.
                database.sql("LOCK TABLE desk_decision IN EXCLUSIVE MODE").update();
                asked.forEach(Thread::startVirtualThread);
                await("both have come as far as they can").atMost(LIMIT).until(() -> waitingToDecide() == 2);
                body(posted(again(id), because("we are three")), 503);
            });
            for (FutureTask<Integer> each : asked) {
                assertThat(each.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(200);
            }
            await("three").atMost(LIMIT).until(() -> invoicesOf(id).size() == 3);
            assertThat(invoicesOf(id))
                    .extracting(message -> headersOf(message).get("ce_id"))
                    .containsExactly(id.text() + "/invoice/1", id.text() + "/invoice/6", id.text() + "/invoice/7");
            assertThat(decisionsAbout(id.text())).hasSize(2);
            tell(new GrantAward(id, "their number"));
            awaitGranted(id);
        }

        private FutureTask<Integer> askAgain(AwardRecordId id) {
            return new FutureTask<>(() ->
                    posted(again(id), because("it takes long")).getResponse().getStatus());
        }

        private int waitingToDecide() {
            return database.sql("""
                            SELECT count(*) FROM pg_stat_activity
                            WHERE wait_event_type = 'Lock'
                              AND (query LIKE 'INSERT INTO desk_decision %' OR query LIKE '%pg_advisory_xact_lock%')""").query(Integer.class).single();
        }

        private static String again(AwardRecordId id) {
            return "/award-records/" + id.text() + "/invoices";
        }

        private List<ConsumerRecord<String, byte[]>> invoicesOf(AwardRecordId id) {
            return reader.on(KafkaTopics.INVOICE, user.value()).stream()
                    .filter(message -> id.text().equals(headersOf(message).get("ce_subject")))
                    .toList();
        }

        @Test
        @DisplayName("An operator gets the refusal of the record.")
        void refused() {
            AwardRecordId id = win("first", AwardType.TEXT, GrantTime.AT_ONCE);
            awaitGranted(id);
            String remedy = "{\"remedy\": \"SUBSTITUTE\", \"reason\": \"late\"}";
            body(posted("/award-records/" + id.text() + "/remedy", remedy), 409);
            body(posted("/award-records/" + record("never won").text() + "/remedy", remedy), 404);
            body(posted("/award-records/" + record("never won").text() + "/release", "{}"), 404);
            assertThat(posted("/award-records/" + id.text() + "/remedy", remedy.replace("SUBSTITUTE", "MANUAL")))
                    .hasStatus(400);
            assertThat(decisionsAbout(id.text())).isEmpty();
        }
    }

    @Nested
    @DisplayName("Sagas that fail")
    class Failing {

        private List<JsonNode> journey(AwardRecordId id) {
            return where(get("/journeys?kind=grant&limit=100").path("journeys"), "id", id.text());
        }

        @Test
        @DisplayName("A saga that fails is shown with its cause, and its retry succeeds after the fault is repaired.")
        void retried() {
            AwardRecordId id = win("first", AwardType.PHYSICAL, GrantTime.AT_ONCE);
            await("journey begun").atMost(LIMIT).until(() -> rowsOfJourney(id) == 1);
            assertThat(journey(id)).as("one that waits for its time").isEmpty();
            String state = database.sql("SELECT state FROM saga WHERE association = ?")
                    .param(id.text())
                    .query(String.class)
                    .single();
            database.sql("UPDATE saga SET state = '{\"handover\": \"nonsense\"}', due_at = now() WHERE association = ?")
                    .param(id.text())
                    .update();
            await("it has failed")
                    .atMost(LIMIT)
                    .untilAsserted(() -> assertThat(journey(id)).singleElement().satisfies(failing -> {
                        assertThat(failing.path("failures").asInt()).isPositive();
                        assertThat(failing.path("cause").asString()).contains("nonsense");
                    }));

            database.sql("""
                            UPDATE saga SET state = ?, due_at = now() + interval '10 minutes'
                            WHERE association = ?""").param(state).param(id.text()).update();
            JsonNode retried = post("/journeys/grant/" + id.text() + "/retry");
            assertThat(retried.path("failures").asInt()).isZero();
            assertThat(retried.path("cause").asString("")).isEmpty();
            await("it has gone on")
                    .atMost(LIMIT)
                    .until(() -> database.sql("SELECT state FROM saga WHERE association = ?")
                            .param(id.text())
                            .query(String.class)
                            .single()
                            .contains("FORFEIT"));
            assertThat(journey(id)).isEmpty();
            assertThat(decisionsAbout("journey:grant/" + id.text())).hasSize(1);

            tell(new GrantAward(id, "by hand"));
            awaitGranted(id);
            body(posted("/journeys/grant/" + id.text() + "/retry", "{}"), 404);
        }

        @Test
        @DisplayName("A saga that waits for its time is left alone.")
        void waits() {
            AwardRecordId id = win("first", AwardType.PHYSICAL, GrantTime.AT_ONCE);
            await("journey begun").atMost(LIMIT).until(() -> rowsOfJourney(id) == 1);
            Instant due = Instant.parse(post("/journeys/grant/" + id.text() + "/retry")
                    .path("dueAt")
                    .asString());
            assertThat(due).isAfter(Instant.now().plus(Duration.ofDays(29)));
            assertThat(decisionsAbout("journey:grant/" + id.text())).isEmpty();
            tell(new GrantAward(id, "by hand"));
            awaitGranted(id);
        }
    }

    @Nested
    @DisplayName("Dead letters")
    class Dead {

        private AwardRecordId known() {
            AwardRecordId id = record("first");
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
                    get("/dead-letters?topic=lottery_fulfilment&limit=100&state=" + state)
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
                    .isEqualTo(reader.on(KafkaTopics.FULFILMENT, id.text())
                            .getFirst()
                            .partition());
            assertThat(dead.path("offset").asLong())
                    .isEqualTo(reader.on(KafkaTopics.FULFILMENT, id.text())
                            .getFirst()
                            .offset());

            records.fail(id, 0);
            int attempts = records.receivedFor(id).size();
            assertThat(post(place(dead) + "/retry").path("state").asString()).isEqualTo("RETRIED");
            assertThat(post(place(dead) + "/retry").path("state").asString()).isEqualTo("RETRIED");
            await("granted")
                    .atMost(LIMIT)
                    .until(() -> records.eventsOf(id).stream()
                            .anyMatch(event -> event.getPayload() instanceof AwardGranted));
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
            assertThat(decisionsAbout("dead-letter:" + dead.path("id").asLong()))
                    .hasSize(1);
        }

        @Test
        @DisplayName("A dead letter that fails again is one more dead letter.")
        void diesAgain() {
            AwardRecordId id = known();
            answer(id, "rubbish");
            JsonNode first = awaitDead(id);
            post(place(first) + "/retry");
            JsonNode second = awaitDead(id);
            assertThat(second.path("id").asLong())
                    .isGreaterThan(first.path("id").asLong());
            assertThat(reader.on(KafkaTopics.FULFILMENT, id.text())).hasSize(2);
            assertThat(post(place(second) + "/drop", because("rubbish"))
                            .path("state")
                            .asString())
                    .isEqualTo("DROPPED");
            assertThat(post(place(second) + "/drop", because("more"))
                            .path("reason")
                            .asString())
                    .isEqualTo("rubbish");
            assertThat(post(place(second) + "/retry").path("state").asString())
                    .as("what was given up stays so")
                    .isEqualTo("DROPPED");
            assertThat(dead(id, "DROPPED"))
                    .singleElement()
                    .satisfies(
                            kept -> assertThat(kept.path("reason").asString()).isEqualTo("rubbish"));
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
            post(place(first) + "/retry");
            await("again")
                    .atMost(LIMIT)
                    .until(() -> reader.on(KafkaTopics.FULFILMENT, id.text()).size() == 2);
            var messages = reader.on(KafkaTopics.FULFILMENT, id.text());
            assertThat(textOf(messages.get(1))).isEqualTo(textOf(messages.get(0)));
            assertThat(headersOf(messages.get(1))).isEqualTo(headersOf(messages.get(0)));

            database.sql("UPDATE dead_letter SET found_offset = 1000000, state = 'OPEN' WHERE id = ?")
                    .param(first.path("id").asLong())
                    .update();
            body(posted(place(first) + "/retry", "{}"), 404);
            assertThat(dead(id, "OPEN")).as("it stays open").isNotEmpty();
        }

        @Test
        @DisplayName("The retry of a large dead letter that has expired is refused as not found.")
        void expired() throws Exception {
            AwardRecordId id = known();
            answer(id, "x".repeat(100_000));
            JsonNode expired = awaitDead(id);
            forgetAllBehind(expired);

            body(posted(place(expired) + "/retry", "{}"), 404);
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
                body(posted(place(dead) + "/retry", "{}"), 503);
            });
            for (FutureTask<Integer> each : asked) {
                assertThat(each.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(200);
            }
            await("it died again").atMost(LIMIT).until(() -> dead(id, "OPEN").size() == 1);
            assertThat(dead(id, "RETRIED")).hasSize(1);
            assertThat(post(place(dead) + "/retry").path("state").asString()).isEqualTo("RETRIED");
        }

        private FutureTask<Integer> askAgain(JsonNode message) {
            return new FutureTask<>(
                    () -> posted(place(message) + "/retry", "{}").getResponse().getStatus());
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
                                new TopicPartition("lottery_fulfilment_dlt", partition),
                                RecordsToDelete.beforeOffset(-1)))
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
                    .until(() -> !where(get("/dead-letters?limit=100").path("deadLetters"), "cause", cause)
                            .isEmpty());
            JsonNode shown = where(get("/dead-letters?limit=100").path("deadLetters"), "cause", cause)
                    .getFirst();
            assertThat(shown.path("size").asInt()).isEqualTo(5_000_000);

            assertThat(posted(place(shown) + "/retry", "{}").getResponse().getStatus())
                    .isEqualTo(404);

            assertThat(where(get("/dead-letters?limit=100").path("deadLetters"), "cause", cause))
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

    @Nested
    @DisplayName("Refusals")
    class Hostile {

        @ParameterizedTest
        @ValueSource(
                strings = {"/parked-events", "/journeys", "/dead-letters", "/decisions", "/grants?waitsFor=person"})
        @DisplayName("Invalid limits and cursors are refused.")
        void lists(String list) {
            String and = list.contains("?") ? "&" : "?";
            for (String wrong : List.of(
                    "limit=0",
                    "limit=101",
                    "limit=-1",
                    "limit=many",
                    "cursor=x",
                    "cursor=AAAA",
                    "cursor=%00",
                    "cursor=LTEKMQoxCjE",
                    "cursor=OTIyMzM3MjAzNjg1NDc3NTgwOAo",
                    "cursor=" + "A".repeat(2_000))) {
                assertThat(mvc.get().uri(URI.create(OPS + list + and + wrong)).exchange())
                        .as(wrong)
                        .hasStatus(400);
            }
            assertThat(get(list + and + "limit=100").isObject()).isTrue();
        }

        @ParameterizedTest
        @CsvSource({
            "/parked-events?processor=nobody, 404",
            "/parked-events?processor=%00, 404",
            "/parked-events?processor=%27%3B--, 404",
            "/parked-events?sequence=a%00b, 400",
            "/parked-events?dropped=perhaps, 400",
            "/dead-letters?topic=lottery_events, 400",
            "/dead-letters?state=GONE, 400",
            "/grants, 400",
            "/grants?waitsFor=nothing, 400",
            "/journeys?kind=%00, 400",
        })
        @DisplayName("Requests for unknown things are refused.")
        void questions(String question, int status) {
            assertThat(mvc.get().uri(URI.create(OPS + question)).exchange()).hasStatus(status);
        }

        @ParameterizedTest
        @ValueSource(strings = {"/parked-events/grants/999999999", "/dead-letters/999999999"})
        @DisplayName("A drop without a proper reason, or of something that does not exist, is refused.")
        void reasons(String place) {
            for (String wrong : List.of(
                    "{}",
                    because(""),
                    because("  "),
                    because("x".repeat(501)),
                    because("a\\u0000b"),
                    because("a\\nb"),
                    because("a\\u001b[2Jb"),
                    "reason",
                    "")) {
                assertThat(posted(place + "/drop", wrong)).as(wrong).hasStatus(400);
            }
            assertThat(posted(place + "/drop", because("x".repeat(500)))).hasStatus(404);
            assertThat(posted(place + "/retry", "")).hasStatus(404);
        }

        @ParameterizedTest
        @CsvSource({
            "/parked-events/%00/1/retry, 404",
            "/parked-events/grants/first/retry, 400",
            "/dead-letters/first/retry, 400",
            "/journeys/grant/a%00b/retry, 404",
            "/journeys/nothing/award:1/retry, 404",
            "/award-records/award:1/release, 400",
        })
        @DisplayName("A retry of something that does not exist is refused.")
        void retries(String place, int status) {
            assertThat(mvc.post().uri(URI.create(OPS + place)).exchange()).hasStatus(status);
        }
    }
}
