package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import lottery.Http.Response;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("The audience of an activity")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class AudienceTest {

    /** Ids that no other test uses: tests share the database. */
    private static final AtomicLong IDS = new AtomicLong(780_000);

    private final Http http;
    private final JdbcClient database;
    private final DrawQueueInMemory queue;

    /** The id of the tree, the strategy and the activity for adults. The next one is that of the other activity. */
    private long id;

    @Autowired
    AudienceTest(@LocalServerPort int port, JdbcClient database, DrawQueueInMemory queue) {
        this.http = new Http(port);
        this.database = database;
        this.queue = queue;
    }

    @BeforeEach
    void twoActivities() {
        id = IDS.addAndGet(10);
        assertThat(http.post("/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Coffee", "type": "TEXT", "config": {"text": "x"}, "rate": "1", "sort": 1}]}
                """.formatted(id)).status()).isEqualTo(201);
        create(id);
        create(id + 1);
    }

    private void create(long activity) {
        Response created = http.post("/api/v1/activities", """
                {"activityId": %d, "name": "Fair", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d, "audience": %d,
                 "free": {"total": 9, "month": 9, "day": 9}}""".formatted(activity, id, id));
        assertThat(created.status()).as(created.text()).isEqualTo(201);
    }

    private void define(int adult) {
        Response defined = http.put("/api/v1/decision-trees/" + id, """
                {"root": "age",
                 "nodes": [{"node": "age", "matter": "age", "kind": "NUMBER"},
                           {"node": "city", "matter": "city", "kind": "TEXT"},
                           {"node": "adults", "result": "%d"}, {"node": "minors", "result": "%d"}],
                 "lines": [{"from": "age", "to": "city", "is": ">=", "values": ["%d"]},
                           {"from": "age", "to": "minors", "is": "<", "values": ["%d"]},
                           {"from": "city", "to": "adults", "is": "=", "values": ["Hangzhou"]}]}""".formatted(id, id + 1, adult, adult));
        assertThat(defined.status()).as(defined.text()).isIn(200, 201);
    }

    private Response transition(long activity, String action) {
        return http.post(
                "/api/v1/activities/%d/transitions".formatted(activity), "{\"action\": \"%s\"}".formatted(action));
    }

    private void open(long activity) {
        for (String action : List.of("submit", "pass", "start")) {
            Response done = transition(activity, action);
            assertThat(done.status()).as(done.text()).isEqualTo(200);
        }
    }

    private Response spend(long activity, String on, String key, String matters) {
        String body = matters.isEmpty() ? "" : "{\"matters\": {%s}}".formatted(matters);
        return http.post("/api/v1/activities/%d/accounts/ann/%s".formatted(activity, on), body, "Idempotency-Key", key);
    }

    private static List<String> findings(Response refused) {
        assertThat(refused.status()).as(refused.text()).isEqualTo(403);
        assertThat(refused.json().path("code").asString()).isEqualTo("NOT_IN_AUDIENCE");
        return refused.json()
                .path("findings")
                .valueStream()
                .map(finding -> finding.path("pointer").asString() + ": "
                        + finding.path("message").asString())
                .toList();
    }

    @Test
    @DisplayName("Those whom its tree leads to it draw, and others are told the lines that were followed.")
    void enforced() {
        define(18);
        open(id);
        open(id + 1);
        String adult = "\"age\": 18, \"city\": \"Hangzhou\"";
        for (String on : List.of("draws", "raffle-orders", "entries")) {
            assertThat(findings(spend(id, on, on + 1, ""))).containsExactly("/matters/age: this is missing");
            assertThat(findings(spend(id, on, on + 2, "\"age\": 17")))
                    .containsExactly("/matters/age: this line was followed: age -> minors (17)");
            assertThat(findings(spend(id, on, on + 3, "\"age\": 30, \"city\": \"Paris\"")))
                    .containsExactly(
                            "/matters/age: this line was followed: age -> city (30)",
                            "/matters/city: no line fits at city (Paris)");
            assertThat(findings(spend(id + 1, on, on + 4, adult)))
                    .containsExactly(
                            "/matters/age: this line was followed: age -> city (18)",
                            "/matters/city: this line was followed: city -> adults (Hangzhou)");
        }
        assertThat(database.sql("SELECT count(*) FROM event WHERE aggregate_id LIKE 'account:%:' || ? || ':%'")
                        .param(id)
                        .query(Long.class)
                        .single())
                .isZero();

        Response drawn = spend(id, "draws", "adult", adult);
        assertThat(drawn.status()).as(drawn.text()).isEqualTo(201);
        Response order = spend(id, "raffle-orders", "order", adult);
        assertThat(order.status()).as(order.text()).isEqualTo(201);
        define(21);
        assertThat(findings(spend(id, "draws", "later", adult))).hasSize(1);
        assertThat(spend(id, "draws", "adult", "").text()).isEqualTo(drawn.text());
        assertThat(spend(id, "raffle-orders", "order", "").text()).isEqualTo(order.text());
        String orderId = order.json().path("orderId").asString();
        assertThat(http.post("/api/v1/raffle-orders/" + orderId + "/draw", "").status())
                .isEqualTo(201);
    }

    private Response ask(String key, String matters) {
        return http.post(
                "/api/v1/activities/%d/accounts/ann/draws".formatted(id),
                "{\"matters\": {%s}}".formatted(matters),
                "Prefer",
                "respond-async",
                "Idempotency-Key",
                key);
    }

    @Test
    @DisplayName("A request that may wait is checked when it comes. What was accepted is not checked again.")
    void queued() {
        define(18);
        open(id);
        open(id + 1);
        assertThat(findings(ask("minor", "\"age\": 17"))).hasSize(1);
        assertThat(queue.takeAll()).isEmpty();
        Response accepted = ask("adult", "\"age\": 18, \"city\": \"Hangzhou\"");
        assertThat(accepted.status()).as(accepted.text()).isEqualTo(202);
        define(21);
        assertThat(ask("adult", "\"age\": 18").status()).isEqualTo(202);
        assertThat(queue.takeAll()).hasSize(1);
    }

    @Test
    @DisplayName("An activity whose audience is led nowhere is not submitted.")
    void unfit() {
        Response refused = transition(id, "submit");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().path("code").asString()).isEqualTo("TREE_INVALID");
        assertThat(refused.text()).contains("/audience", "tree:%d does not exist".formatted(id));
        define(18);
        assertThat(transition(id, "submit").status()).isEqualTo(200);
    }
}
