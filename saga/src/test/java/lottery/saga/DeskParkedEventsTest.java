package lottery.saga;

import static lottery.saga.DeskClient.LIMIT;
import static lottery.saga.DeskClient.because;
import static lottery.saga.DeskClient.body;
import static lottery.saga.DeskClient.where;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.time.Instant;
import java.util.List;
import lottery.api.UserId;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.messaging.KafkaTopics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestConstructor;
import tools.jackson.databind.JsonNode;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("The desk shows parked events, and retries or drops them.")
class DeskParkedEventsTest {

    private final DeskClient desk;
    private final UnsteadyPublisher publisher;
    private final JdbcClient database;

    private UserId user = new UserId("nobody");

    DeskParkedEventsTest(DeskClient desk, UnsteadyPublisher publisher, JdbcClient database) {
        this.desk = desk;
        this.publisher = publisher;
        this.database = database;
    }

    @BeforeEach
    void ownUser(TestInfo test) {
        user = DeskClient.userOf(test);
    }

    private AwardRecordId parkedWin() {
        AwardRecordId id = DeskClient.record(user, "first");
        publisher.lose(KafkaTopics.INVOICE, id.text(), Integer.MAX_VALUE);
        desk.win(user, "first", AwardType.TEXT, GrantTime.AT_ONCE);
        await("parked").atMost(LIMIT).until(() -> parked(id).size() == 1);
        return id;
    }

    private List<JsonNode> parked(AwardRecordId id) {
        return where(desk.get("/parked-events?processor=grants&limit=100").path("parkedEvents"), "sequence", id.text());
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
        publisher.lose(KafkaTopics.INVOICE, id.text(), 0);
        assertThat(desk.post(place(parked) + "/retry").path("position").asLong())
                .isEqualTo(parked.path("position").asLong());
        desk.awaitGranted(id);
        assertThat(parked(id)).isEmpty();
        assertThat(desk.decisionsAbout(
                        "parked-event:grants/" + parked.path("position").asLong()))
                .extracting(decision -> decision.path("action").asString())
                .containsExactly("RETRY");
    }

    @Test
    @DisplayName("The events behind a dropped one go on, and the reason is stored.")
    void dropped() {
        AwardRecordId id = parkedWin();
        desk.tell(new GrantAward(id, "by hand"));
        await("one behind")
                .atMost(LIMIT)
                .until(() -> parked(id).getFirst().path("behind").asInt() == 1);
        assertThat(desk.get("/parked-events?sequence=" + id.text())
                        .path("parkedEvents")
                        .size())
                .as("all of one sequence")
                .isEqualTo(2);
        database.sql("UPDATE parked_event SET retry_at = now() + interval '1 hour' WHERE sequence_id = ?")
                .param(id.text())
                .update();

        JsonNode win = parked(id).getFirst();
        JsonNode proposed = body(desk.postedAs("dora", place(win) + "/drop", because("no coffee left")), 202);
        body(desk.postedAs("otto", DeskClient.decision(proposed), DeskClient.AGREE), 200);
        await("the one behind is handled").atMost(LIMIT).until(() -> parked(id).isEmpty());
        assertThat(database.sql("SELECT dropped_because FROM parked_event WHERE sequence_id = ?")
                        .param(id.text())
                        .query(String.class)
                        .list())
                .containsExactly("no coffee left");

        assertThat(where(desk.get("/parked-events?dropped=true&limit=100").path("parkedEvents"), "sequence", id.text()))
                .singleElement()
                .satisfies(kept -> {
                    assertThat(kept.path("droppedBecause").asString()).isEqualTo("no coffee left");
                    assertThat(kept.path("droppedAt").asString()).isNotEmpty();
                });
        assertThat(desk.post(place(win) + "/drop", because("another reason"))
                        .path("droppedBecause")
                        .asString())
                .as("the first reason counts")
                .isEqualTo("no coffee left");
        assertThat(desk.post(place(win) + "/retry").path("droppedBecause").asString())
                .isEqualTo("no coffee left");
        publisher.lose(KafkaTopics.INVOICE, id.text(), 0);
        assertThat(desk.decisionsAbout(
                        "parked-event:grants/" + win.path("position").asLong()))
                .extracting(
                        decision -> decision.path("action").asString(),
                        decision -> decision.path("reason").asString())
                .containsExactly(tuple("DROP", "no coffee left"));
    }

    @Test
    @DisplayName("Parked events are listed in pages.")
    void pages() {
        database.sql("""
                        INSERT INTO parked_event (processor, position, sequence_id, cause, retry_at)
                        SELECT 'recharges', 1000000 + i, 'sequence ' || i, 'a test', now() + interval '1 hour'
                        FROM generate_series(1, 5) AS i""").update();
        try {
            JsonNode first = desk.get("/parked-events?processor=recharges&limit=3");
            assertThat(first.path("parkedEvents").size()).isEqualTo(3);
            JsonNode second = desk.get("/parked-events?processor=recharges&limit=3&cursor="
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
