package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import lottery.Http.Response;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A draw in the activity that a tree chooses")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class ChosenDrawTest {

    private static final String COFFEE = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "config": {"text": "x"}, "rate": "1", "sort": 1}]""";

    private static final String FREE = """
            "free": {"total": 3, "month": 3, "day": 3}""";

    /** Ids that no other test uses: tests share the database. */
    private static final AtomicLong TREES = new AtomicLong(795_000);

    private final Http http;
    private final JdbcClient database;
    private final long tree = TREES.incrementAndGet();

    @Autowired
    ChosenDrawTest(@LocalServerPort int port, JdbcClient database) {
        this.http = new Http(port);
        this.database = database;
    }

    /** Lets the tree lead everybody to an activity who lives in Hangzhou. */
    private void lead(TestActivity activity) {
        Response defined = http.put("/api/v1/decision-trees/" + tree, """
                {"root": "city",
                 "nodes": [{"node": "city", "matter": "city", "kind": "TEXT"}, {"node": "here", "result": "%d"}],
                 "lines": [{"from": "city", "to": "here", "is": "=", "values": ["Hangzhou"]}]}""".formatted(activity.id));
        assertThat(defined.status()).as(defined.text()).isIn(200, 201);
    }

    private Response draw(String key, String more) {
        return http.post(
                "/api/v1/activity-choices/draws",
                "{\"treeId\": %d, \"userId\": \"ann\", \"matters\": {\"city\": \"Hangzhou\"}%s}".formatted(tree, more),
                "Idempotency-Key",
                key + "-" + tree);
    }

    private static String code(Response refused) {
        return refused.json().path("code").asString();
    }

    private long draws(TestActivity activity) {
        return database.sql("SELECT count(*) FROM event_readable WHERE type = 'raffle.drawn'"
                        + " AND (payload ->> 'activityId')::bigint = ?")
                .param(activity.id)
                .query(Long.class)
                .single();
    }

    @Test
    @DisplayName("The key is chosen for once: its answer stays, whatever the tree says later.")
    void once() throws Exception {
        TestActivity first = TestActivity.open(http, COFFEE, FREE);
        TestActivity second = TestActivity.open(http, COFFEE, FREE);
        lead(first);
        Response one = draw("one", "");
        assertThat(one.status()).as(one.text()).isEqualTo(201);
        assertThat(one.json().path("activityId").asLong()).isEqualTo(first.id);
        assertThat(one.json().path("award").path("title").asString()).isEqualTo("Coffee");
        Response two = draw("two", ", \"count\": 2");
        assertThat(two.json().path("draws").size()).as(two.text()).isEqualTo(2);

        lead(second);
        for (String key : List.of("one", "two")) {
            Response again = draw(key, key.equals("two") ? ", \"count\": 2" : "");
            assertThat(again.status()).as(again.text()).isEqualTo(200);
            assertThat(again.text()).isEqualTo(key.equals("two") ? two.text() : one.text());
        }
        assertThat(draws(first)).isEqualTo(3);
        assertThat(draws(second)).isZero();
        List<Response> crowd = TestActivity.inParallel(8, _ -> TestActivity.insist(() -> draw("three", "")));
        assertThat(crowd).extracting(Response::status).containsOnly(200, 201).containsOnlyOnce(201);
        assertThat(draws(second)).isEqualTo(1);
    }

    @Test
    @DisplayName("A refused request has chosen nothing, and a key is required.")
    void refused() {
        TestActivity first = TestActivity.open(http, COFFEE, FREE);
        TestActivity second = TestActivity.open(http, COFFEE, FREE);
        lead(first);
        for (int i = 0; i < 3; i++) {
            assertThat(draw("empty-" + i, "").status()).isEqualTo(201);
        }
        assertThat(code(draw("late", ""))).isIn("QUOTA_TOTAL", "QUOTA_DAY");
        lead(second);
        assertThat(draw("late", "").json().path("activityId").asLong()).isEqualTo(second.id);
        second.transition("pause");
        assertThat(code(draw("paused", ""))).isEqualTo("NO_ACTIVITY");
        Response keyless =
                http.post("/api/v1/activity-choices/draws", "{\"treeId\": %d, \"userId\": \"ann\"}".formatted(tree));
        assertThat(code(keyless)).isEqualTo("KEY_REQUIRED");
    }

    @Test
    @DisplayName("A key that has drawn in one activity without a tree does not choose an activity.")
    void keyOfAPlainDraw() {
        TestActivity first = TestActivity.open(http, COFFEE, FREE);
        TestActivity second = TestActivity.open(http, COFFEE, FREE);
        lead(first);
        assertThat(first.draw("ann", "plain-" + tree).status()).isEqualTo(201);
        assertThat(code(draw("plain", ""))).isEqualTo("KEY_REUSED");
        lead(second);
        assertThat(draw("plain", "").json().path("activityId").asLong()).isEqualTo(second.id);
    }
}
