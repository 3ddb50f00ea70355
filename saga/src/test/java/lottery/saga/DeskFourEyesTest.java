package lottery.saga;

import static java.nio.charset.StandardCharsets.UTF_8;
import static lottery.saga.DeskClient.LIMIT;
import static lottery.saga.DeskClient.because;
import static lottery.saga.DeskClient.body;
import static lottery.saga.DeskClient.where;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardCommand.LeaveToDesk;
import lottery.api.award.AwardCommand.RejectGrant;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyId;
import lottery.messaging.KafkaTopics;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.test.context.TestConstructor;
import tools.jackson.databind.JsonNode;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("What can cost a winner an award is decided by two persons of the desk.")
class DeskFourEyesTest {

    private static final String DORA = "dora";
    private static final String OTTO = "otto";

    private final DeskClient desk;
    private final UnsteadyPublisher publisher;
    private final EventStore events;
    private final AwardRecords records;
    private final JdbcClient database;
    private final KafkaTemplate<String, byte[]> kafka;

    private UserId user = new UserId("nobody");

    DeskFourEyesTest(
            DeskClient desk,
            UnsteadyPublisher publisher,
            EventStore events,
            AwardRecords records,
            JdbcClient database,
            KafkaTemplate<String, byte[]> kafka) {
        this.desk = desk;
        this.publisher = publisher;
        this.events = events;
        this.records = records;
        this.database = database;
        this.kafka = kafka;
    }

    @BeforeEach
    void ownUser(TestInfo test) {
        user = DeskClient.userOf(test);
    }

    private static String agreeing(String proposal) {
        return "{\"reason\": \"I agree\", \"proposal\": \"" + proposal + "\"}";
    }

    private static String remedy(String kind, String proposal) {
        return "{\"remedy\": \"%s\", \"reason\": \"she asked for it\"%s}"
                .formatted(kind, proposal.isEmpty() ? "" : ", \"proposal\": \"" + proposal + "\"");
    }

    private static JsonNode proposedIn(JsonNode answer) {
        JsonNode proposed = answer.path("proposed");
        assertThat(proposed.path("proposal").asString()).isNotEmpty();
        assertThat(proposed.path("by").asString()).isEqualTo(DORA);
        assertThat(Duration.between(
                        Instant.parse(proposed.path("at").asString()),
                        Instant.parse(proposed.path("expiresAt").asString())))
                .isEqualTo(Duration.ofDays(7));
        return proposed;
    }

    private void requireDecisions(String subject, String proposing, String done) {
        assertThat(desk.decisionsAbout(subject))
                .extracting(
                        decision -> decision.path("action").asString(),
                        decision -> decision.path("actor").asString(""))
                .containsExactly(tuple(done, OTTO), tuple(proposing, DORA));
    }

    private void requireNoProposal(String subject) {
        assertThat(database.sql("SELECT action FROM desk_proposal WHERE subject = ?")
                        .param(subject)
                        .query(String.class)
                        .list())
                .as("what waits about " + subject)
                .isEmpty();
    }

    /** Lets an event be parked, which no processor tries for an hour, and returns its subject. */
    private String park(String processor, long position) {
        database.sql("""
                        INSERT INTO parked_event (processor, position, sequence_id, cause, retry_at)
                        VALUES (?, ?, ?, 'a test', now() + interval '1 hour')""").params(processor, position, user.value()).update();
        return "parked-event:" + processor + "/" + position;
    }

    private void unpark(long position) {
        database.sql("DELETE FROM parked_event WHERE position = ?")
                .param(position)
                .update();
    }

    private long deadInvoice() {
        String key = user.value();
        kafka.send("lottery_invoice_dlt", key, "{}".getBytes(UTF_8))
                .orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS)
                .join();
        await("dead").atMost(LIMIT).until(() -> invoices(key, "OPEN").size() == 1);
        return invoices(key, "OPEN").getFirst().path("id").asLong();
    }

    private List<JsonNode> parked(AwardRecordId id) {
        return where(desk.get("/parked-events?processor=grants&limit=100").path("parkedEvents"), "sequence", id.text());
    }

    @Test
    @DisplayName("A won award that its saga could not handle is given up when another person agrees.")
    void parkedWin() {
        AwardRecordId id = DeskClient.record(user, "first");
        publisher.lose(KafkaTopics.INVOICE, id.text(), Integer.MAX_VALUE);
        desk.win(user, "first", AwardType.TEXT, GrantTime.AT_ONCE);
        await("parked").atMost(LIMIT).until(() -> parked(id).size() == 1);
        long position = parked(id).getFirst().path("position").asLong();
        String drop = "/parked-events/grants/" + position + "/drop";

        JsonNode first = body(desk.postedAs(DORA, drop, because("no coffee left")), 202);
        assertThat(first.hasNonNull("droppedBecause")).isFalse();
        String proposal = proposedIn(first).path("proposal").asString();
        JsonNode again = body(desk.postedAs(OTTO, drop, because("no tea left")), 202);
        assertThat(proposedIn(again)).as("the first proposal stays").isEqualTo(proposedIn(first));
        assertThat(proposedIn(parked(id).getFirst())).isEqualTo(proposedIn(first));

        JsonNode refused = body(desk.postedAs(DORA, drop, agreeing(proposal)), 409);
        assertThat(refused.path("why").asString()).isEqualTo("FORBIDDEN");
        body(desk.postedAs(OTTO, drop, agreeing("another")), 404);
        assertThat(parked(id)).as("it still waits").hasSize(1);

        JsonNode dropped = body(desk.postedAs(OTTO, drop, agreeing(proposal)), 200);
        assertThat(dropped.path("droppedBecause").asString()).isEqualTo("I agree");
        assertThat(dropped.hasNonNull("proposed")).isFalse();
        assertThat(body(desk.postedAs(OTTO, drop, agreeing(proposal)), 200)
                        .path("droppedBecause")
                        .asString())
                .as("the same call again")
                .isEqualTo("I agree");
        publisher.lose(KafkaTopics.INVOICE, id.text(), 0);
        requireDecisions("parked-event:grants/" + position, "PROPOSE_DROP", "DROP");
        requireNoProposal("parked-event:grants/" + position);
    }

    @Test
    @DisplayName("When two persons agree at once the event is given up once, and both are told so.")
    void agreeAtOnce() throws Exception {
        String subject = park("grants", 3_000_002);
        try {
            String drop = "/parked-events/grants/3000002/drop";
            String proposal = proposedIn(body(desk.postedAs(DORA, drop, because("a test")), 202))
                    .path("proposal")
                    .asString();
            List<FutureTask<JsonNode>> both = Stream.of(OTTO, "paula")
                    .map(person -> new FutureTask<>(() -> body(desk.postedAs(person, drop, agreeing(proposal)), 200)))
                    .toList();
            both.forEach(Thread::startVirtualThread);
            for (FutureTask<JsonNode> one : both) {
                assertThat(one.get(LIMIT.toSeconds(), TimeUnit.SECONDS)
                                .path("droppedBecause")
                                .asString())
                        .isEqualTo("I agree");
            }
            assertThat(desk.decisionsAbout(subject))
                    .extracting(decision -> decision.path("action").asString())
                    .containsExactly("DROP", "PROPOSE_DROP");
            requireNoProposal(subject);
        } finally {
            unpark(3_000_002);
        }
    }

    @Test
    @DisplayName("A retry of a parked event ends the proposal to give it up.")
    void retryOfEvent() {
        String subject = park("grants", 3_000_003);
        try {
            String path = "/parked-events/grants/3000003";
            proposedIn(body(desk.postedAs(DORA, path + "/drop", because("a test")), 202));
            body(desk.postedAs(OTTO, path + "/retry", "{}"), 200);
            requireDecisions(subject, "PROPOSE_DROP", "RETRY");
            requireNoProposal(subject);
        } finally {
            unpark(3_000_003);
        }
    }

    @Test
    @DisplayName("A retry of an invoice ends the proposal to give it up.")
    void retryOfInvoice() {
        long id = deadInvoice();
        proposedIn(body(desk.postedAs(DORA, "/dead-letters/" + id + "/drop", because("a test")), 202));
        body(desk.postedAs(OTTO, "/dead-letters/" + id + "/retry", "{}"), 200);
        requireDecisions("dead-letter:" + id, "PROPOSE_DROP", "RETRY");
        requireNoProposal("dead-letter:" + id);
    }

    @Test
    @DisplayName(
            "Where callers are not authenticated, a drop takes two calls, and a known person does not agree to it.")
    void dropByUnknownPersons() {
        String subject = park("schedule", 3_000_004);
        try {
            String drop = "/parked-events/schedule/3000004/drop";
            String unnamed = body(desk.posted(drop, because("a test")), 202)
                    .path("proposed")
                    .path("proposal")
                    .asString();
            body(desk.postedAs(OTTO, drop, agreeing(unnamed)), 404);
            assertThat(body(desk.posted(drop, agreeing(unnamed)), 200)
                            .path("droppedBecause")
                            .asString())
                    .isEqualTo("I agree");
            requireNoProposal(subject);
        } finally {
            unpark(3_000_004);
        }
    }

    @Test
    @DisplayName("A known person proposes anew what an unknown one has proposed.")
    void proposedAnew() {
        String subject = park("grants", 3_000_005);
        try {
            String drop = "/parked-events/grants/3000005/drop";
            body(desk.posted(drop, because("a test")), 202);
            String proposal = proposedIn(body(desk.postedAs(DORA, drop, because("a test")), 202))
                    .path("proposal")
                    .asString();
            body(desk.postedAs(OTTO, drop, agreeing(proposal)), 200);
            requireNoProposal(subject);
        } finally {
            unpark(3_000_005);
        }
    }

    @Test
    @DisplayName("A proposal that does not wait is not found, also where one person decides.")
    void noSuchProposal() {
        park("recharges", 3_000_006);
        try {
            String drop = "/parked-events/recharges/3000006/drop";
            body(desk.postedAs(DORA, drop, agreeing("another")), 404);
            body(desk.postedAs(DORA, drop, because("a test")), 200);
        } finally {
            unpark(3_000_006);
        }
    }

    @ParameterizedTest
    @CsvSource({"grants, 202", "schedule, 202", "recharges, 200", "rebates, 200", "feed, 200", "wins, 200"})
    @DisplayName("Two persons give up an event of the sagas that lead to awards, and one an event of others.")
    void processors(String processor, int status) {
        database.sql("""
                        INSERT INTO parked_event (processor, position, sequence_id, cause, retry_at)
                        VALUES (?, 3000000, 'four eyes', 'a test', now() + interval '1 hour')""").param(processor).update();
        try {
            body(desk.postedAs(DORA, "/parked-events/" + processor + "/3000000/drop", because("a test")), status);
        } finally {
            database.sql("DELETE FROM parked_event WHERE position = 3000000").update();
        }
    }

    @Test
    @DisplayName("A proposal ends after a week, and then another one is needed.")
    void expired() {
        database.sql("""
                        INSERT INTO parked_event (processor, position, sequence_id, cause, retry_at)
                        VALUES ('grants', 3000001, 'four eyes late', 'a test', now() + interval '1 hour')""").update();
        try {
            String drop = "/parked-events/grants/3000001/drop";
            String old = proposedIn(body(desk.postedAs(DORA, drop, because("a test")), 202))
                    .path("proposal")
                    .asString();
            database.sql("""
                            UPDATE desk_proposal SET proposed_at = now() - interval '168 hours 1 second'
                            WHERE subject = 'parked-event:grants/3000001'""").update();
            assertThat(where(
                            desk.get("/parked-events?sequence=four%20eyes%20late")
                                    .path("parkedEvents"),
                            "cause",
                            "a test"))
                    .singleElement()
                    .satisfies(event -> assertThat(event.hasNonNull("proposed")).isFalse());
            body(desk.postedAs(OTTO, drop, agreeing(old)), 404);
            assertThat(proposedIn(body(desk.postedAs(DORA, drop, because("a test")), 202))
                            .path("proposal")
                            .asString())
                    .isNotEqualTo(old);
        } finally {
            database.sql("DELETE FROM parked_event WHERE position = 3000001").update();
        }
    }

    @Test
    @DisplayName("An invoice that nobody could read is given up when another person agrees.")
    void invoice() {
        String key = user.value();
        long id = deadInvoice();
        String drop = "/dead-letters/" + id + "/drop";

        JsonNode first = body(desk.postedAs(DORA, drop, because("a test of theirs")), 202);
        assertThat(first.path("state").asString()).isEqualTo("OPEN");
        String proposal = proposedIn(first).path("proposal").asString();
        assertThat(proposedIn(invoices(key, "OPEN").getFirst())).isEqualTo(proposedIn(first));
        body(desk.postedAs(DORA, drop, agreeing(proposal)), 409);
        body(desk.postedAs(OTTO, drop, agreeing("another")), 404);

        JsonNode dropped = body(desk.postedAs(OTTO, drop, agreeing(proposal)), 200);
        assertThat(dropped.path("state").asString()).isEqualTo("DROPPED");
        assertThat(body(desk.postedAs(DORA, drop, because("more")), 200)
                        .path("reason")
                        .asString())
                .as("the first decision counts")
                .isEqualTo("I agree");
        requireDecisions("dead-letter:" + id, "PROPOSE_DROP", "DROP");
        requireNoProposal("dead-letter:" + id);
    }

    private List<JsonNode> invoices(String key, String state) {
        return where(
                desk.get("/dead-letters?topic=lottery_invoice&limit=100&state=" + state)
                        .path("deadLetters"),
                "key",
                key);
    }

    /** Lets a draw win a parcel of this cost, which fulfilment rejects. */
    private AwardRecordId rejected(String cost, long strategy) {
        AwardRecordId id = DeskClient.record(user, "first");
        RaffleOrderId order = new RaffleOrderId(id.key());
        StrategyId strategyId = new StrategyId(strategy);
        Prize prize = new Prize(101, "Coffee", AwardType.PHYSICAL, 1, null);
        AwardDefinition award = AwardDefinition.of(101, "Coffee", AwardType.PHYSICAL, BigDecimal.ONE)
                .sort(1)
                .cost(new BigDecimal(cost))
                .build();
        events.publish(
                new GenericDomainEventMessage<>(
                        "strategy",
                        strategyId.text(),
                        0,
                        new StrategyDefined(strategyId, 1, StrategyDefinition.of(Mode.SINGLE, List.of(award), null))),
                new GenericDomainEventMessage<>(
                        "order",
                        order.text(),
                        0,
                        new RaffleDrawn(
                                order,
                                new ActivityId(100),
                                user,
                                strategyId,
                                1,
                                1,
                                0,
                                0,
                                List.of(),
                                null,
                                null,
                                "ab".repeat(32),
                                Outcome.WON,
                                prize,
                                Instant.EPOCH)));
        desk.win(user, "first", AwardType.PHYSICAL, GrantTime.AT_ONCE);
        desk.awaitSaga(id);
        return id;
    }

    private List<JsonNode> waiting(AwardRecordId id) {
        return where(desk.get("/grants?limit=100&waitsFor=person").path("grants"), "awardRecordId", id.text());
    }

    @Test
    @DisplayName("An award above the limit is compensated when another person agrees to the same remedy.")
    void dearRemedy() {
        AwardRecordId id = rejected("100.01", 771);
        String path = "/award-records/" + id.text() + "/remedy";
        body(desk.postedAs(DORA, path, remedy("RETURN_CHANCE", "")), 409);
        desk.tell(new RejectGrant(id, "4711", "the shop is closed"));
        await("on the desk").atMost(LIMIT).until(() -> waiting(id).size() == 1);

        JsonNode first = body(desk.postedAs(DORA, path, remedy("SUBSTITUTE", "")), 202);
        String replaced = proposedIn(first).path("proposal").asString();
        JsonNode second = body(desk.postedAs(DORA, path, remedy("RETURN_CHANCE", "")), 202);
        String proposal = proposedIn(second).path("proposal").asString();
        assertThat(proposedIn(second).path("action").asString()).isEqualTo("RETURN_CHANCE");
        await("on the desk")
                .atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(proposedIn(waiting(id).getFirst())).isEqualTo(proposedIn(second)));

        body(desk.postedAs(OTTO, path, remedy("SUBSTITUTE", replaced)), 404);
        body(desk.postedAs(OTTO, path, remedy("SUBSTITUTE", proposal)), 404);
        JsonNode refused = body(desk.postedAs(DORA, path, remedy("RETURN_CHANCE", proposal)), 409);
        assertThat(refused.path("why").asString()).isEqualTo("FORBIDDEN");

        JsonNode done = body(desk.postedAs(OTTO, path, remedy("RETURN_CHANCE", proposal)), 200);
        assertThat(done.path("state").asString()).isEqualTo("COMPENSATED");
        assertThat(done.hasNonNull("proposed")).isFalse();
        requireNoProposal(id.text());
        assertThat(body(desk.postedAs(DORA, path, remedy("RETURN_CHANCE", "")), 200)
                        .path("state")
                        .asString())
                .as("it stays compensated")
                .isEqualTo("COMPENSATED");
        assertThat(desk.decisionsAbout(id.text()))
                .extracting(
                        decision -> decision.path("action").asString(),
                        decision -> decision.path("actor").asString(""))
                .containsExactly(
                        tuple("RETURN_CHANCE", DORA),
                        tuple("RETURN_CHANCE", OTTO),
                        tuple("PROPOSE_RETURN_CHANCE", DORA),
                        tuple("PROPOSE_SUBSTITUTE", DORA));
    }

    @Test
    @DisplayName("An award up to the limit is compensated by one person.")
    void cheapRemedy() {
        AwardRecordId id = rejected("100", 772);
        desk.tell(new RejectGrant(id, "4711", "the shop is closed"));
        await("on the desk").atMost(LIMIT).until(() -> waiting(id).size() == 1);
        String path = "/award-records/" + id.text() + "/remedy";
        body(desk.postedAs(DORA, path, remedy("SUBSTITUTE", "another")), 404);
        JsonNode done = body(desk.postedAs(DORA, path, remedy("SUBSTITUTE", "")), 200);
        assertThat(done.path("state").asString()).isEqualTo("COMPENSATED");
    }

    @Test
    @DisplayName("Where callers are not authenticated, two calls are needed, and the second one names the proposal.")
    void unknownPersons() {
        AwardRecordId id = rejected("5000", 773);
        String path = "/award-records/" + id.text() + "/remedy";
        desk.tell(new RejectGrant(id, "4711", "the shop is closed"));
        await("on the desk").atMost(LIMIT).until(() -> waiting(id).size() == 1);
        JsonNode proposed =
                body(desk.posted(path, remedy("RETURN_CHANCE", "")), 202).path("proposed");
        assertThat(proposed.hasNonNull("by")).isFalse();
        assertThat(body(desk.posted(path, remedy("RETURN_CHANCE", "")), 202).path("proposed"))
                .as("the same call again is no agreement")
                .isEqualTo(proposed);
        String proposal = proposed.path("proposal").asString();
        assertThat(body(desk.posted(path, remedy("RETURN_CHANCE", proposal)), 200)
                        .path("state")
                        .asString())
                .isEqualTo("COMPENSATED");
    }

    @Test
    @DisplayName("A remedy that compensates nothing, because the activity is over, is not noted, and still waits.")
    void activityOver() {
        AwardRecordId id = rejected("5000", 775);
        String path = "/award-records/" + id.text() + "/remedy";
        desk.tell(new RejectGrant(id, "4711", "the shop is closed"));
        await("on the desk").atMost(LIMIT).until(() -> waiting(id).size() == 1);
        JsonNode proposed = proposedIn(body(desk.postedAs(DORA, path, remedy("RETURN_CHANCE", "")), 202));
        records.endActivityOf(id);

        String proposal = proposed.path("proposal").asString();
        assertThat(body(desk.postedAs(OTTO, path, remedy("RETURN_CHANCE", proposal)), 200)
                        .path("state")
                        .asString())
                .isEqualTo("ON_DESK");

        assertThat(proposedIn(waiting(id).getFirst())).isEqualTo(proposed);
        assertThat(desk.decisionsAbout(id.text()))
                .extracting(decision -> decision.path("action").asString())
                .containsExactly("PROPOSE_RETURN_CHANCE");
    }

    @Test
    @DisplayName("A proposal of an award that is granted meanwhile comes to nothing.")
    void grantedMeanwhile() {
        AwardRecordId id = rejected("5000", 774);
        String path = "/award-records/" + id.text() + "/remedy";
        desk.tell(new LeaveToDesk(id, "nobody has answered"));
        await("on the desk").atMost(LIMIT).until(() -> waiting(id).size() == 1);
        String proposal = proposedIn(body(desk.postedAs(DORA, path, remedy("RETURN_CHANCE", "")), 202))
                .path("proposal")
                .asString();
        desk.tell(new GrantAward(id, "by hand"));
        desk.awaitGranted(id);
        JsonNode refused = body(desk.postedAs(OTTO, path, remedy("RETURN_CHANCE", proposal)), 409);
        assertThat(refused.path("why").asString()).isEqualTo("AWARD_STATE");
    }
}
