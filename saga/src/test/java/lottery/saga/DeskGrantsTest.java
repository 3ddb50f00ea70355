package lottery.saga;

import static lottery.saga.DeskClient.LIMIT;
import static lottery.saga.DeskClient.because;
import static lottery.saga.DeskClient.body;
import static lottery.saga.DeskClient.where;
import static lottery.saga.TopicReader.headersOf;
import static lottery.saga.TopicReader.textOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import lottery.api.UserId;
import lottery.api.award.Address;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardCommand.LeaveToDesk;
import lottery.api.award.AwardCommand.RejectGrant;
import lottery.api.award.AwardEvent.AwardDispatchFailed;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.GrantTime.Timing;
import lottery.messaging.KafkaTopics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestConstructor;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("The desk shows the awards that wait for an operator, and carries out what is decided about them.")
class DeskGrantsTest {

    private final DeskClient desk;
    private final AwardRecords records;
    private final CreditAccounts credits;
    private final TopicReader reader;
    private final UnsteadyPublisher publisher;
    private final JdbcClient database;
    private final TransactionTemplate transaction;

    private UserId user = new UserId("nobody");

    DeskGrantsTest(
            DeskClient desk,
            AwardRecords records,
            CreditAccounts credits,
            TopicReader reader,
            UnsteadyPublisher publisher,
            JdbcClient database,
            PlatformTransactionManager transactions) {
        this.desk = desk;
        this.records = records;
        this.credits = credits;
        this.reader = reader;
        this.publisher = publisher;
        this.database = database;
        this.transaction = new TransactionTemplate(transactions);
    }

    @BeforeEach
    void ownUser(TestInfo test) {
        user = DeskClient.userOf(test);
    }

    private List<JsonNode> waitingFor(String what, AwardRecordId id) {
        return where(desk.get("/grants?limit=100&waitsFor=" + what).path("grants"), "awardRecordId", id.text());
    }

    @Test
    @DisplayName("An award that waits for its release is shown, and handed over when it is released.")
    void release() {
        AwardRecordId id = desk.win(user, "first", AwardType.TEXT, new GrantTime(Timing.MANUAL, null));
        await("on the desk").atMost(LIMIT).until(() -> waitingFor("release", id).size() == 1);
        JsonNode waiting = waitingFor("release", id).getFirst();
        assertThat(waiting.path("userId").asString()).isEqualTo(user.value());
        assertThat(waiting.path("activityId").asLong()).isEqualTo(100);
        assertThat(waiting.path("award").path("title").asString()).isEqualTo("Coffee");
        assertThat(waiting.path("since").asString()).isEqualTo("2026-11-21T04:00:00.123456Z");

        assertThat(desk.post("/award-records/" + id.text() + "/release")
                        .path("awardRecordId")
                        .asString())
                .isEqualTo(id.text());
        desk.awaitGranted(id);
        assertThat(waitingFor("release", id)).isEmpty();
        assertThat(desk.decisionsAbout(id.text())).hasSize(1);
    }

    @Test
    @DisplayName("An award that waits for a decision is shown with every cause, and the decision compensates it.")
    void remedy() {
        AwardRecordId id = desk.win(user, "first", AwardType.PHYSICAL, GrantTime.AT_ONCE);
        desk.awaitSaga(id);
        desk.tell(new RejectGrant(id, "4711", "the shop is closed"));
        await("on the desk")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(waitingFor("person", id))
                        .singleElement()
                        .satisfies(waiting -> assertThat(waiting.path("cause").asString())
                                .isEqualTo("fulfilment has rejected it (4711): the shop is closed;"
                                        + " fulfilment has rejected it, and a person was to decide then")));

        assertThat(desk.post(
                                "/award-records/" + id.text() + "/remedy",
                                "{\"remedy\": \"RETURN_CHANCE\", \"reason\": \"she asked for it\"}")
                        .path("state")
                        .asString())
                .isEqualTo("COMPENSATED");
        await("off the desk").atMost(LIMIT).until(() -> waitingFor("person", id).isEmpty());
        assertThat(desk.decisionsAbout(id.text())).singleElement().satisfies(decision -> {
            assertThat(decision.path("action").asString()).isEqualTo("RETURN_CHANCE");
            assertThat(decision.path("reason").asString()).isEqualTo("she asked for it");
        });
    }

    @Test
    @DisplayName("An award without an answer can be invoiced again, with a message of its own and a reason.")
    void invoicedAgain() {
        AwardRecordId id = desk.win(user, "first", AwardType.PHYSICAL, GrantTime.AT_ONCE);
        desk.awaitSaga(id);
        String again = again(id);
        body(desk.posted(again, because("nobody knows where to")), 409);
        records.claim(id, new Address("Ann", "123", "Bay Road 1", null, "at the back"));
        await("the first one").atMost(LIMIT).until(() -> invoicesOf(id).size() == 1);
        desk.tell(new LeaveToDesk(id, "nobody has answered"));
        await("on the desk").atMost(LIMIT).until(() -> waitingFor("person", id).size() == 1);

        assertThat(desk.posted(again, "{}")).hasStatus(400);
        publisher.lose(KafkaTopics.INVOICE, id.text(), 1);
        body(desk.posted(again, because("the broker is away")), 503);
        assertThat(desk.decisionsAbout(id.text())).isEmpty();
        assertThat(desk.post(again, because("their server was new"))
                        .path("state")
                        .asString())
                .isEqualTo("ON_DESK");
        desk.post(again, because("and is newer now"));
        await("three").atMost(LIMIT).until(() -> invoicesOf(id).size() == 3);
        assertThat(invoicesOf(id))
                .extracting(message -> headersOf(message).get("ce_id"))
                .containsExactly(id.text() + "/invoice/1", id.text() + "/invoice/6", id.text() + "/invoice/7");
        assertThat(invoicesOf(id))
                .extracting(message -> String.valueOf(textOf(message)).replaceAll("\"attempt\":\\d", ""))
                .as("all the same but for the attempt")
                .allMatch(text -> text.contains("Bay Road 1"))
                .satisfies(texts -> assertThat(Set.copyOf(texts)).hasSize(1));
        assertThat(desk.decisionsAbout(id.text()))
                .extracting(
                        decision -> decision.path("action").asString(),
                        decision -> decision.path("reason").asString())
                .containsExactly(tuple("INVOICE", "and is newer now"), tuple("INVOICE", "their server was new"));

        desk.tell(new GrantAward(id, "their number"));
        desk.awaitGranted(id);
        body(desk.posted(again, because("too late")), 409);
        body(desk.posted(again(DeskClient.record(user, "never won")), because("no")), 404);
    }

    @Test
    @DisplayName("An award that could not be handed over directly is handed over at the operator's request.")
    void handedOverAgain() {
        AwardRecordId id = DeskClient.record(user, "first");
        credits.fail(id.text(), 2);
        desk.win(user, "first", AwardType.CREDIT, GrantTime.AT_ONCE);
        await("it is known that it failed")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(records.eventsOf(id).getLast().getPayload())
                        .isInstanceOfSatisfying(
                                AwardDispatchFailed.class,
                                failed -> assertThat(failed.reason()).contains("the database is away")));
        body(desk.posted(again(id), because("the first time did not help")), 503);
        assertThat(desk.decisionsAbout(id.text())).isEmpty();
        assertThat(desk.post(again(id), because("it is mended")).path("state").asString())
                .isEqualTo("GRANTED");
        assertThat(credits.of(user)).hasSize(1);
        assertThat(desk.decisionsAbout(id.text())).hasSize(1);
        await("saga ended").atMost(LIMIT).until(() -> desk.rowsOfSaga(id) == 0);
        assertThat(invoicesOf(id)).isEmpty();
    }

    @Test
    @DisplayName("Two requests for an invoice at once send a message each, and a third one is refused as busy.")
    void invoicedAgainAtOnce() throws Exception {
        AwardRecordId id = desk.win(user, "first", AwardType.PHYSICAL, GrantTime.AT_ONCE);
        desk.awaitSaga(id);
        records.claim(id, new Address("Ann", "123", "Bay Road 1", null, null));
        await("the first one").atMost(LIMIT).until(() -> invoicesOf(id).size() == 1);
        desk.tell(new LeaveToDesk(id, "nobody has answered"));
        List<FutureTask<Integer>> asked = List.of(askAgain(id), askAgain(id));
        transaction.executeWithoutResult(_ -> {
            // All can count decisions, and none can be stored before this is over.
            database.sql("LOCK TABLE desk_decision IN EXCLUSIVE MODE").update();
            asked.forEach(Thread::startVirtualThread);
            await("both have come as far as they can").atMost(LIMIT).until(() -> waitingToDecide() == 2);
            body(desk.posted(again(id), because("we are three")), 503);
        });
        for (FutureTask<Integer> each : asked) {
            assertThat(each.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(200);
        }
        await("three").atMost(LIMIT).until(() -> invoicesOf(id).size() == 3);
        assertThat(invoicesOf(id))
                .extracting(message -> headersOf(message).get("ce_id"))
                .containsExactly(id.text() + "/invoice/1", id.text() + "/invoice/6", id.text() + "/invoice/7");
        assertThat(desk.decisionsAbout(id.text())).hasSize(2);
        desk.tell(new GrantAward(id, "their number"));
        desk.awaitGranted(id);
    }

    private FutureTask<Integer> askAgain(AwardRecordId id) {
        return new FutureTask<>(() ->
                desk.posted(again(id), because("it takes long")).getResponse().getStatus());
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
        AwardRecordId id = desk.win(user, "first", AwardType.TEXT, GrantTime.AT_ONCE);
        desk.awaitGranted(id);
        String remedy = "{\"remedy\": \"SUBSTITUTE\", \"reason\": \"late\"}";
        body(desk.posted("/award-records/" + id.text() + "/remedy", remedy), 409);
        body(
                desk.posted(
                        "/award-records/" + DeskClient.record(user, "never won").text() + "/remedy", remedy),
                404);
        body(
                desk.posted(
                        "/award-records/" + DeskClient.record(user, "never won").text() + "/release", "{}"),
                404);
        assertThat(desk.posted("/award-records/" + id.text() + "/remedy", remedy.replace("SUBSTITUTE", "MANUAL")))
                .hasStatus(400);
        assertThat(desk.decisionsAbout(id.text())).isEmpty();
    }
}
