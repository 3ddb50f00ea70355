package lottery.saga;

import static java.nio.charset.StandardCharsets.UTF_8;
import static lottery.saga.DeskClient.AGREE;
import static lottery.saga.DeskClient.LIMIT;
import static lottery.saga.DeskClient.because;
import static lottery.saga.DeskClient.body;
import static lottery.saga.DeskClient.where;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardCommand.RejectGrant;
import lottery.api.award.AwardRecordId;
import lottery.api.proposal.ProposalCommand.AgreeToProposal;
import lottery.api.proposal.ProposalId;
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
import org.springframework.test.web.servlet.assertj.MvcTestResult;
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
    private final JdbcClient database;
    private final KafkaTemplate<String, byte[]> kafka;

    private UserId user = new UserId("nobody");

    DeskFourEyesTest(
            DeskClient desk,
            UnsteadyPublisher publisher,
            EventStore events,
            JdbcClient database,
            KafkaTemplate<String, byte[]> kafka) {
        this.desk = desk;
        this.publisher = publisher;
        this.events = events;
        this.database = database;
        this.kafka = kafka;
    }

    @BeforeEach
    void ownUser(TestInfo test) {
        user = DeskClient.userOf(test);
    }

    private static String remedy(String kind) {
        return "{\"remedy\": \"%s\", \"reason\": \"she asked for it\"}".formatted(kind);
    }

    private static JsonNode proposed(MvcTestResult answer, String kind, String subject) {
        JsonNode proposal = body(answer, 202);
        assertThat(proposal.path("state").asString()).isEqualTo("PROPOSED");
        assertThat(proposal.at("/action/kind").asString()).isEqualTo(kind);
        assertThat(proposal.at("/action/subject").asString()).isEqualTo(subject);
        return proposal;
    }

    private void requireDropBy(String person, String subject) {
        assertThat(desk.decisionsAbout(subject))
                .extracting(
                        decision -> decision.path("action").asString(),
                        decision -> decision.path("actor").asString(""))
                .containsExactly(tuple("DROP", person));
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
        String path = "/parked-events/grants/" + position + "/drop";
        String subject = "parked-event:grants/" + position;

        JsonNode first = proposed(desk.postedAs(DORA, path, because("no coffee left")), "DROP_PARKED_EVENT", subject);
        assertThat(body(desk.postedAs(OTTO, path, because("no tea left")), 202)).isEqualTo(first);
        assertThat(parked(id)).as("it still waits").hasSize(1);

        JsonNode agreed = body(desk.postedAs(OTTO, DeskClient.decision(first), AGREE), 200);
        assertThat(agreed.path("state").asString()).isEqualTo("AGREED");
        assertThat(body(desk.postedAs(DORA, path, because("more")), 200)
                        .path("droppedBecause")
                        .asString())
                .as("the first decision counts")
                .isEqualTo("no coffee left");
        publisher.lose(KafkaTopics.INVOICE, id.text(), 0);
        requireDropBy(OTTO, subject);
    }

    @Test
    @DisplayName("If the process ends after the agreement, the same agreement or request gives the event up.")
    void interrupted() {
        String agreedTwice = park("grants", 3_000_002);
        String askedAgain = park("schedule", 3_000_003);
        try {
            JsonNode proposal = proposed(
                    desk.postedAs(DORA, "/parked-events/grants/3000002/drop", because("a test")),
                    "DROP_PARKED_EVENT",
                    agreedTwice);
            desk.tellAs(
                    OTTO,
                    new AgreeToProposal(
                            ProposalId.of(proposal.path("proposalId").asString())));
            assertThat(desk.decisionsAbout(agreedTwice)).isEmpty();
            body(desk.postedAs(OTTO, DeskClient.decision(proposal), AGREE), 200);
            requireDropBy(OTTO, agreedTwice);

            JsonNode other = proposed(
                    desk.postedAs(DORA, "/parked-events/schedule/3000003/drop", because("a test")),
                    "DROP_PARKED_EVENT",
                    askedAgain);
            desk.tellAs(
                    OTTO,
                    new AgreeToProposal(ProposalId.of(other.path("proposalId").asString())));
            body(desk.postedAs(DORA, "/parked-events/schedule/3000003/drop", because("a test")), 200);
            requireDropBy(OTTO, askedAgain);
        } finally {
            unpark(3_000_002);
            unpark(3_000_003);
        }
    }

    @Test
    @DisplayName("A proposal that was declined drops nothing, and one that nobody has made is not found.")
    void declined() {
        String subject = park("grants", 3_000_004);
        try {
            JsonNode proposal = proposed(
                    desk.postedAs(DORA, "/parked-events/grants/3000004/drop", because("a test")),
                    "DROP_PARKED_EVENT",
                    subject);
            assertThat(body(
                                    desk.postedAs(
                                            OTTO,
                                            DeskClient.decision(proposal),
                                            "{\"decision\": \"DECLINE\", \"reason\": \"no\"}"),
                                    200)
                            .path("declinedBecause")
                            .asString())
                    .isEqualTo("no");
            assertThat(desk.decisionsAbout(subject)).isEmpty();
            body(
                    desk.postedAs(OTTO, "/proposals/proposal:33-e5173994-fc37-8861-b836-9cad666a564f/decision", AGREE),
                    404);
            body(desk.postedAs(OTTO, DeskClient.decision(proposal), "{}"), 400);
        } finally {
            unpark(3_000_004);
        }
    }

    @ParameterizedTest
    @CsvSource({"grants, 202", "schedule, 202", "recharges, 202", "rebates, 202", "feed, 200", "wins, 200"})
    @DisplayName("Two persons give up an event of a saga, and one an event of others.")
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
    @DisplayName("An invoice that nobody could read is given up when another person agrees.")
    void invoice() {
        long id = deadInvoice();
        String drop = "/dead-letters/" + id + "/drop";
        String subject = "dead-letter:" + id;
        JsonNode first = proposed(desk.postedAs(DORA, drop, because("a test of theirs")), "DROP_DEAD_LETTER", subject);
        assertThat(invoices(user.value(), "OPEN")).as("it still waits").hasSize(1);

        body(desk.postedAs(OTTO, DeskClient.decision(first), AGREE), 200);
        JsonNode dropped = body(desk.postedAs(DORA, drop, because("more")), 200);
        assertThat(dropped.path("state").asString()).isEqualTo("DROPPED");
        assertThat(dropped.path("reason").asString())
                .as("the first decision counts")
                .isEqualTo("a test of theirs");
        requireDropBy(OTTO, subject);
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
    @DisplayName("A remedy of an award above the limit is proposed, if the award can be compensated.")
    void dearRemedy() {
        AwardRecordId id = rejected("100.01", 771);
        String path = "/award-records/" + id.text() + "/remedy";
        body(desk.postedAs(DORA, path, remedy("RETURN_CHANCE")), 409);
        desk.tell(new RejectGrant(id, "4711", "the shop is closed"));
        await("on the desk").atMost(LIMIT).until(() -> waiting(id).size() == 1);

        JsonNode one = proposed(desk.postedAs(DORA, path, remedy("SUBSTITUTE")), "SUBSTITUTE_AWARD", id.text());
        JsonNode other = proposed(desk.postedAs(DORA, path, remedy("RETURN_CHANCE")), "RETURN_CHANCE", id.text());
        assertThat(other.path("proposalId")).isNotEqualTo(one.path("proposalId"));
        assertThat(waiting(id)).as("it still waits").hasSize(1);
        assertThat(desk.decisionsAbout(id.text())).isEmpty();
    }

    @Test
    @DisplayName("An award up to the limit is compensated by one person.")
    void cheapRemedy() {
        AwardRecordId id = rejected("100", 772);
        desk.tell(new RejectGrant(id, "4711", "the shop is closed"));
        await("on the desk").atMost(LIMIT).until(() -> waiting(id).size() == 1);
        JsonNode done = body(desk.postedAs(DORA, "/award-records/" + id.text() + "/remedy", remedy("SUBSTITUTE")), 200);
        assertThat(done.path("state").asString()).isEqualTo("COMPENSATED");
        assertThat(desk.decisionsAbout(id.text()))
                .extracting(decision -> decision.path("action").asString())
                .containsExactly("SUBSTITUTE");
    }
}
