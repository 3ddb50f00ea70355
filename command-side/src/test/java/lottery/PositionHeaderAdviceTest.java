package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import lottery.Http.Response;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("The position in the answer to a command")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class PositionHeaderAdviceTest {

    private static final AtomicLong IDS = new AtomicLong(710_000);
    private static final int USERS = 40;

    private final Http http;
    private final JdbcClient database;

    private long activity;

    @Autowired
    PositionHeaderAdviceTest(@LocalServerPort int port, JdbcClient database) {
        this.http = new Http(port);
        this.database = database;
    }

    @BeforeEach
    void anOpenActivity() {
        activity = IDS.incrementAndGet();
        post("/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Coffee", "type": "TEXT", "config": {"text": "x"}, "rate": "1", "sort": 1}]}
                """.formatted(activity));
        post("/api/v1/activities", definition());
        for (String action : List.of("submit", "pass", "start")) {
            post("/api/v1/activities/" + activity + "/transitions", "{\"action\": \"%s\"}".formatted(action));
        }
    }

    private String definition() {
        return """
                {"activityId": %d, "name": "Spring", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d, "skus": [
                   {"sku": 1, "total": 10, "month": 5, "day": 2}]}
                """.formatted(activity, activity);
    }

    @Test
    @DisplayName("An answer has the position of the newest event of its own commit.")
    void newest() {
        Response recharge = recharge("ann");
        assertThat(position(recharge))
                .isEqualTo(newestOf(recharge.json().get("rechargeId").asString()));
        Response draw = draw("ann", "first");
        assertThat(position(draw))
                .isEqualTo(newestOf(draw.json().get("awardRecordId").asString()));
        assertThat(position(transition("close"))).isEqualTo(newestOf("activity:" + activity));
    }

    @Test
    @DisplayName("Each of many commands that share a commit is answered with its own position.")
    void eachItsOwn() throws Exception {
        inParallel(user -> recharge("user-" + user));
        List<Response> draws = inParallel(user -> draw("user-" + user, "first"));
        assertThat(draws)
                .allSatisfy(draw -> assertThat(position(draw))
                        .as(draw.text())
                        .isEqualTo(newestOf(draw.json().get("awardRecordId").asString())));
        assertThat(draws.stream().map(PositionHeaderAdviceTest::position).distinct())
                .hasSize(USERS);
    }

    @Test
    @DisplayName("A repeated request is answered with a position that includes the first answer.")
    void repeated() {
        recharge("ann");
        Response first = draw("ann", "first");
        Response again = draw("ann", "first");
        assertThat(again.status()).isEqualTo(200);
        assertThat(position(again)).isBetween(position(first), head());
        Response created = post("/api/v1/activities", definition());
        assertThat(created.status()).isEqualTo(200);
        assertThat(position(created)).isBetween(position(first), head());
    }

    @Test
    @DisplayName("A repeated request is answered with a position, also if it was refused without a command.")
    void repeatedTooLate() {
        Response first = recharge("ann");
        transition("close");
        Response again = recharge("ann");
        assertThat(again.status()).as(again.text()).isEqualTo(200);
        assertThat(position(again)).isBetween(position(first), head());
    }

    @Test
    @DisplayName("A refused request has no position, nor has one without a command.")
    void none() {
        recharge("ann");
        draw("ann", "first");
        draw("ann", "second");
        Response refused = draw("ann", "third");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.header(PositionHeaderAdvice.HEADER)).isEmpty();
        Response read = http.get("/api/v1/strategies/" + activity);
        assertThat(read.status()).as(read.text()).isEqualTo(200);
        assertThat(read.header(PositionHeaderAdvice.HEADER)).isEmpty();
    }

    private Response post(String path, String body) {
        return http.post(path, body);
    }

    private Response transition(String action) {
        return post("/api/v1/activities/" + activity + "/transitions", "{\"action\": \"%s\"}".formatted(action));
    }

    private Response recharge(String user) {
        return post(
                "/api/v1/activities/" + activity + "/accounts/" + user + "/recharges",
                "{\"sku\": 1, \"outBusinessNo\": \"first-%d\"}".formatted(activity));
    }

    private Response draw(String user, String key) {
        return http.post("/api/v1/activities/" + activity + "/accounts/" + user + "/draws", "", "Idempotency-Key", key);
    }

    private static long position(Response answer) {
        assertThat(answer.header(PositionHeaderAdvice.HEADER)).as(answer.text()).isNotEmpty();
        return Long.parseLong(answer.header(PositionHeaderAdvice.HEADER));
    }

    private long newestOf(String aggregate) {
        return database.sql("SELECT max(position) FROM event WHERE aggregate_id LIKE ?")
                .param(aggregate)
                .query(Long.class)
                .single();
    }

    private long head() {
        return database.sql("SELECT position FROM event_head").query(Long.class).single();
    }

    private interface UserCall {
        Response by(int user);
    }

    private static List<Response> inParallel(UserCall call) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(USERS);
        try {
            List<Callable<Response>> calls = IntStream.range(0, USERS)
                    .mapToObj(user -> (Callable<Response>) () -> call.by(user))
                    .toList();
            List<Response> answers = new ArrayList<>();
            for (Future<Response> answer : callers.invokeAll(calls, 30, TimeUnit.SECONDS)) {
                answers.add(answer.get(1, TimeUnit.SECONDS));
            }
            return answers;
        } finally {
            callers.shutdownNow();
        }
    }
}
