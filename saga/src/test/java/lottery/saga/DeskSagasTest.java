package lottery.saga;

import static lottery.saga.DeskClient.LIMIT;
import static lottery.saga.DeskClient.body;
import static lottery.saga.DeskClient.where;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import lottery.api.UserId;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
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
@DisplayName("The desk shows the sagas that fail, and retries them.")
class DeskSagasTest {

    private final DeskClient desk;
    private final JdbcClient database;

    private UserId user = new UserId("nobody");

    DeskSagasTest(DeskClient desk, JdbcClient database) {
        this.desk = desk;
        this.database = database;
    }

    @BeforeEach
    void ownUser(TestInfo test) {
        user = DeskClient.userOf(test);
    }

    private List<JsonNode> sagasAbout(AwardRecordId id) {
        return where(desk.get("/sagas?kind=grant&limit=100").path("sagas"), "id", id.text());
    }

    @Test
    @DisplayName("A saga that fails is shown with its cause, and its retry succeeds after the fault is repaired.")
    void retried() {
        AwardRecordId id = desk.win(user, "first", AwardType.PHYSICAL, GrantTime.AT_ONCE);
        desk.awaitSaga(id);
        assertThat(sagasAbout(id)).as("one that waits for its time").isEmpty();
        String state = database.sql("SELECT state FROM saga WHERE association = ?")
                .param(id.text())
                .query(String.class)
                .single();
        database.sql("UPDATE saga SET state = '{\"handover\": \"nonsense\"}', due_at = now() WHERE association = ?")
                .param(id.text())
                .update();
        await("it has failed")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(sagasAbout(id)).singleElement().satisfies(failing -> {
                    assertThat(failing.path("failures").asInt()).isPositive();
                    assertThat(failing.path("cause").asString()).contains("nonsense");
                }));

        database.sql("""
                        UPDATE saga SET state = ?, due_at = now() + interval '10 minutes'
                        WHERE association = ?""").param(state).param(id.text()).update();
        JsonNode retried = desk.post("/sagas/grant/" + id.text() + "/retry");
        assertThat(retried.path("failures").asInt()).isZero();
        assertThat(retried.path("cause").asString("")).isEmpty();
        await("it has gone on")
                .atMost(LIMIT)
                .until(() -> database.sql("SELECT state FROM saga WHERE association = ?")
                        .param(id.text())
                        .query(String.class)
                        .single()
                        .contains("FORFEIT"));
        assertThat(sagasAbout(id)).isEmpty();
        assertThat(desk.decisionsAbout("saga:grant/" + id.text())).hasSize(1);

        desk.tell(new GrantAward(id, "by hand"));
        desk.awaitGranted(id);
        body(desk.posted("/sagas/grant/" + id.text() + "/retry", "{}"), 404);
    }

    @Test
    @DisplayName("A saga that waits for its time is left alone.")
    void waits() {
        AwardRecordId id = desk.win(user, "first", AwardType.PHYSICAL, GrantTime.AT_ONCE);
        desk.awaitSaga(id);
        Instant due = Instant.parse(
                desk.post("/sagas/grant/" + id.text() + "/retry").path("dueAt").asString());
        assertThat(due).isAfter(Instant.now().plus(Duration.ofDays(29)));
        assertThat(desk.decisionsAbout("saga:grant/" + id.text())).isEmpty();
        desk.tell(new GrantAward(id, "by hand"));
        desk.awaitGranted(id);
    }
}
