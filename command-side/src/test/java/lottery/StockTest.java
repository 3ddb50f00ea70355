package lottery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lottery.Http.Response;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("An award with a stock of 10")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class StockTest {

    private static final int STOCK = 10;

    private static final String RULES = """
            "mode": "%s", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.2", "sort": 1},
              {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.8", "stock": 10, "sort": 2}]""";

    private static final List<String> REDIS_KEYS = List.of(
            "lottery:stock:{stock:%d/2}:taken",
            "lottery:stock:{stock:%d/2}:reserved",
            "lottery:stock:{stock:%d/2}:since",
            "lottery:stock:{stock:%d/2}:loading");

    private final Http http;
    private final JdbcClient database;
    private final StringRedisTemplate redis;

    @Autowired
    StockTest(@LocalServerPort int port, JdbcClient database, StringRedisTemplate redis) {
        this.http = new Http(port);
        this.database = database;
        this.redis = redis;
    }

    @ParameterizedTest(name = "in mode {0}")
    @ValueSource(strings = {"SINGLE", "OVERALL"})
    @DisplayName("Exactly 10 are won, however many draws come at once.")
    void neverOversold(String mode) throws Exception {
        TestActivity activity = TestActivity.open(http, RULES.formatted(mode));
        for (int i = 0; i < 40; i++) {
            activity.recharge("user-" + i);
        }
        Map<String, Integer> outcomes = new HashMap<>();
        for (Response draw : TestActivity.inParallel(400, i -> activity.draw("user-" + i % 40, "draw-" + i))) {
            assertThat(draw.status()).as(draw.text()).isEqualTo(201);
            outcomes.merge(
                    draw.json().get("award").get("awardId").asInt() + " "
                            + draw.json().get("outcome").asString(),
                    1,
                    Integer::sum);
        }
        assertThat(outcomes).containsEntry("2 WON", STOCK);
        assertThat(outcomes.containsKey("1 FALLBACK")).isEqualTo(mode.equals("SINGLE"));
        assertThat(claims(activity)).isEqualTo(STOCK);
    }

    @Test
    @DisplayName("None is won when others have claimed all units, whatever this process believed.")
    void claimedElsewhere() {
        // There are too many units to learn them one by one.
        TestActivity activity =
                TestActivity.open(http, RULES.formatted("SINGLE").replace("\"stock\": 10", "\"stock\": 2000"));
        activity.recharge("ann");
        activity.draw("ann", "first");
        database.sql("INSERT INTO claim (scope, key, holder, position)"
                        + " SELECT 'stock:%d/2', unit::text, 'another node', 1 FROM generate_series(1, 2000) unit"
                                .formatted(activity.id)
                        + " ON CONFLICT DO NOTHING")
                .update();
        for (int i = 0; i < 30; i++) {
            Response draw = activity.draw("ann", "draw-" + i);
            assertThat(draw.status()).as(draw.text()).isEqualTo(201);
            assertThat(draw.json().get("award").get("awardId").asInt()).isEqualTo(1);
        }
        assertThat(claims(activity)).isEqualTo(2000);
    }

    @Test
    @DisplayName("A unit that is given back can be won again.")
    void givenBack() throws Exception {
        TestActivity activity = TestActivity.open(http, RULES.formatted("SINGLE"));
        activity.recharge("ann");
        TestActivity.inParallel(100, i -> activity.draw("ann", "draw-" + i));
        assertThat(claims(activity)).isEqualTo(STOCK);
        database.sql("DELETE FROM claim WHERE scope = ? AND key = '7'")
                .param("stock:%d/2".formatted(activity.id))
                .update();
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    activity.draw("ann", "again-" + System.nanoTime());
                    return claims(activity) == STOCK;
                });
    }

    @Test
    @DisplayName("No more is won when a revision lowers the stock below the number of wins.")
    void lowered() {
        TestActivity activity = TestActivity.open(http, RULES.formatted("SINGLE"));
        activity.recharge("ann");
        drawUntilClaimed(activity, 6);
        assertThat(activity.revise(1, RULES.formatted("SINGLE").replace("\"stock\": 10", "\"stock\": 5"))
                        .status())
                .isEqualTo(200);
        activity.adopt(2);
        for (int i = 0; i < 40; i++) {
            activity.draw("ann", "after-" + i);
        }
        assertThat(claims(activity)).isEqualTo(6);
    }

    @Test
    @DisplayName("More is won when a revision raises the stock, and the draws record what was sold out.")
    void revised() {
        TestActivity activity = TestActivity.open(http, RULES.formatted("SINGLE"));
        activity.recharge("ann");
        for (int i = 0; i < 60; i++) {
            activity.draw("ann", "before-" + i);
        }
        assertThat(claims(activity)).isEqualTo(STOCK);
        assertThat(soldOut(activity)).contains("[2]", "[]");
        assertThat(activity.revise(1, RULES.formatted("SINGLE").replace("\"stock\": 10", "\"stock\": 12"))
                        .status())
                .isEqualTo(200);
        activity.adopt(2);
        for (int i = 0; i < 60; i++) {
            activity.draw("ann", "after-" + i);
        }
        assertThat(claims(activity)).isEqualTo(12);
    }

    @Test
    @DisplayName("Exactly 10 are won when Redis loses its memory in between.")
    void flushed() throws Exception {
        TestActivity activity = TestActivity.open(http, RULES.formatted("SINGLE"));
        activity.recharge("ann");
        for (int i = 0; i < 5; i++) {
            activity.recharge("user-" + i);
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> redisOf(activity).equals("NOT_LOADED"));
        List<Response> draws = TestActivity.inParallel(100, i -> {
            if (i % 10 == 0) {
                forget(activity);
            }
            return activity.draw("user-" + i % 5, "draw-" + i);
        });
        // A draw whose units others claim again and again is refused as busy, and can be repeated.
        assertThat(draws).allMatch(draw -> draw.status() == 201 || draw.status() == 503);
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    activity.draw("ann", "again-" + System.nanoTime());
                    return claims(activity) >= STOCK;
                });
        assertThat(claims(activity)).isEqualTo(STOCK);
    }

    @Test
    @DisplayName("An operator sees what is left, by the claims and by Redis.")
    void shown() {
        TestActivity activity = TestActivity.open(http, RULES.formatted("SINGLE"));
        activity.recharge("ann");
        await().atMost(Duration.ofSeconds(20)).until(() -> redisOf(activity).equals("NOT_LOADED"));
        assertThat(stock(activity).text()).isEqualTo("""
                {"stocks":[{"kind":"AWARD","id":"2","title":"Cinema","total":10,\
                "postgres":{"taken":0,"free":10},"redis":{"state":"NOT_LOADED"}}]}""");
        drawUntilClaimed(activity, 3);
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(stock(activity).text()).isEqualTo("""
                        {"stocks":[{"kind":"AWARD","id":"2","title":"Cinema","total":10,"postgres":{"taken":3,"free":7},\
                        "redis":{"state":"LOADED","taken":3,"free":7,"reserved":0}}]}"""));
        assertThat(http.get("/api/v1/activities/999999999/stock").status()).isEqualTo(404);
    }

    /**
     * Deletes all that Redis knows about the stock. Beside other builds Redis may not answer within its short limit.
     */
    private void forget(TestActivity activity) {
        List<String> keys =
                REDIS_KEYS.stream().map(key -> key.formatted(activity.id)).toList();
        await().pollDelay(Duration.ZERO)
                .ignoreExceptionsInstanceOf(QueryTimeoutException.class)
                .until(() -> redis.delete(keys) >= 0);
    }

    private void drawUntilClaimed(TestActivity activity, int units) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(1))
                .until(() -> {
                    if (claims(activity) < units) {
                        activity.draw("ann", "draw-" + System.nanoTime());
                    }
                    return claims(activity) == units;
                });
    }

    private Response stock(TestActivity activity) {
        return http.get("/api/v1/activities/%d/stock".formatted(activity.id));
    }

    private String redisOf(TestActivity activity) {
        return stock(activity)
                .json()
                .get("stocks")
                .get(0)
                .get("redis")
                .get("state")
                .asString();
    }

    private List<@Nullable String> soldOut(TestActivity activity) {
        return database.sql("SELECT DISTINCT payload ->> 'soldOut' FROM event_readable"
                        + " WHERE type = 'raffle.drawn' AND (payload ->> 'activityId')::bigint = ?")
                .param(activity.id)
                .query(String.class)
                .list();
    }

    private long claims(TestActivity activity) {
        return database.sql("SELECT count(*) FROM claim WHERE scope = ?")
                .param("stock:%d/2".formatted(activity.id))
                .query(Long.class)
                .single();
    }
}
