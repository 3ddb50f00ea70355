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
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("An award with a stock of 10")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class StockTest {

    private static final int STOCK = 10;
    private static final Duration SOON = Duration.ofSeconds(20);

    private static final String RULES = """
            "mode": "%s", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.2", "sort": 1},
              {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.8", "stock": 10, "sort": 2}]""";

    private final Http http;
    private final JdbcClient database;

    @Autowired
    StockTest(@LocalServerPort int port, JdbcClient database) {
        this.http = new Http(port);
        this.database = database;
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
        assertThat(taken(activity)).isEqualTo(STOCK);
    }

    @Test
    @DisplayName("None is won when others have taken all units, of which this process knows nothing.")
    void soldOutElsewhere() {
        TestActivity activity = TestActivity.open(http, RULES.formatted("SINGLE"));
        activity.recharge("ann");
        takenElsewhere(activity, STOCK);
        for (int i = 0; i < 30; i++) {
            Response draw = activity.draw("ann", "draw-" + i);
            assertThat(draw.status()).as(draw.text()).isEqualTo(201);
            assertThat(draw.json().get("award").get("awardId").asInt()).isEqualTo(1);
        }
        assertThat(taken(activity)).isEqualTo(STOCK);
        assertThat(soldOut(activity)).contains("[2]");
    }

    @Test
    @DisplayName("What is given back can be taken again, although others were told that nothing is left.")
    void givenBack() {
        TestActivity activity = TestActivity.open(http, RULES.formatted("SINGLE"), """
                "participationsMax": 1, "free": {"total": 5, "month": 5, "day": 5}""");
        String orderId = activity.partake("ann").json().get("orderId").asString();
        assertThat(activity.draw("bob", "early").json().get("code").asString()).isEqualTo("ACTIVITY_FULL");
        assertThat(activity.cancel(orderId).status()).isEqualTo(200);
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(activity.draw("bob", "late").status()).isIn(201, 200));
        assertThat(activity.draw("ann", "again").json().get("code").asString()).isEqualTo("ACTIVITY_FULL");
    }

    @Test
    @DisplayName("No more is won when a revision lowers the stock below the number of wins.")
    void lowered() {
        TestActivity activity = TestActivity.open(http, RULES.formatted("SINGLE"));
        activity.recharge("ann");
        drawUntilTaken(activity, 6);
        assertThat(activity.revise(1, RULES.formatted("SINGLE").replace("\"stock\": 10", "\"stock\": 5"))
                        .status())
                .isEqualTo(200);
        activity.adopt(2);
        for (int i = 0; i < 40; i++) {
            activity.draw("ann", "after-" + i);
        }
        assertThat(taken(activity)).isEqualTo(6);
    }

    @Test
    @DisplayName("More is won when a revision raises the stock, and the draws record what was sold out.")
    void revised() {
        TestActivity activity = TestActivity.open(http, RULES.formatted("SINGLE"));
        activity.recharge("ann");
        for (int i = 0; i < 60; i++) {
            activity.draw("ann", "before-" + i);
        }
        assertThat(taken(activity)).isEqualTo(STOCK);
        assertThat(soldOut(activity)).contains("[2]", "[]");
        assertThat(activity.revise(1, RULES.formatted("SINGLE").replace("\"stock\": 10", "\"stock\": 12"))
                        .status())
                .isEqualTo(200);
        activity.adopt(2);
        for (int i = 0; i < 60; i++) {
            activity.draw("ann", "after-" + i);
        }
        assertThat(taken(activity)).isEqualTo(12);
    }

    @Test
    @DisplayName("An operator sees what is left.")
    void shown() {
        TestActivity activity = TestActivity.open(http, RULES.formatted("SINGLE"));
        activity.recharge("ann");
        drawUntilTaken(activity, 3);
        assertThat(http.get("/api/v1/activities/%d/stock".formatted(activity.id))
                        .text())
                .isEqualTo("""
                {"stocks":[{"kind":"AWARD","id":"2","title":"Cinema","total":10,"taken":3,"free":7}]}""");
        assertThat(http.get("/api/v1/activities/999999999/stock").status()).isEqualTo(404);
    }

    @Test
    @DisplayName("Ten draws in one request win only the units that are left, and each goes on without the award.")
    void severalDraws() {
        TestActivity activity = TestActivity.open(
                http,
                RULES.formatted("SINGLE").replace("\"0.2\"", "\"0.0000001\"").replace("\"0.8\"", "\"0.9999999\""));
        activity.recharge("ann");
        takenElsewhere(activity, STOCK - 3);
        Response draws = activity.draw("ann", "{\"count\": 10}", "ten");
        assertThat(draws.status()).as(draws.text()).isEqualTo(201);
        assertThat(taken(activity)).isEqualTo(STOCK);
    }

    /** Takes units as another process does. */
    private void takenElsewhere(TestActivity activity, int units) {
        database.sql("INSERT INTO counter (name, taken, total) VALUES (?, ?, ?)")
                .params("award:%d/2".formatted(activity.id), units, STOCK)
                .update();
    }

    private void drawUntilTaken(TestActivity activity, int units) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(1))
                .until(() -> {
                    if (taken(activity) < units) {
                        activity.draw("ann", "draw-" + System.nanoTime());
                    }
                    return taken(activity) == units;
                });
    }

    private List<@Nullable String> soldOut(TestActivity activity) {
        return database.sql("SELECT DISTINCT payload ->> 'soldOut' FROM event_readable"
                        + " WHERE type = 'raffle.drawn' AND (payload ->> 'activityId')::bigint = ?")
                .param(activity.id)
                .query(String.class)
                .list();
    }

    private long taken(TestActivity activity) {
        return database.sql("SELECT coalesce(sum(taken), 0) FROM counter WHERE name = ?")
                .param("award:%d/2".formatted(activity.id))
                .query(Long.class)
                .single();
    }
}
