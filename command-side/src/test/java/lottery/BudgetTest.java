package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import lottery.Http.Response;
import lottery.api.UserId;
import lottery.api.account.AccountCommand.CompensateAward;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.Remedy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("The budget of an activity")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class BudgetTest {

    /** Three awards: a fallback that costs nothing, one of 0.3, and one of 0.5 for each of 1 to 3 points. */
    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Thanks", "type": "TEXT", "rate": "0.2", "sort": 1},
              {"awardId": 2, "title": "Coffee", "type": "TEXT", "rate": "0.4", "cost": "0.3", "sort": 2},
              {"awardId": 3, "title": "Points", "type": "TEXT", "rate": "0.4", "cost": "0.5", "sort": 3,
               "amount": {"min": "1", "max": "3"}}]""";

    private static final String COFFEE = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Tea", "type": "TEXT", "rate": "0.0000001", "cost": "0.1", "sort": 1},
              {"awardId": 2, "title": "Coffee", "type": "%s", "rate": "0.9999999", "cost": "1", "sort": 2,
               "onFailure": "SUBSTITUTE"}]""";

    private final Http http;
    private final EndpointCommandSender commands;
    private final JdbcClient database;

    @Autowired
    BudgetTest(@LocalServerPort int port, EndpointCommandSender commands, JdbcClient database) {
        this.http = new Http(port);
        this.commands = commands;
        this.database = database;
    }

    private TestActivity open(String rules, String budget) {
        return TestActivity.open(http, rules, """
                "zone": "%s", "budget": %s, "skus": [{"sku": 1, "total": 1000, "month": 1000, "day": 1000}]""".formatted(TestActivity.MIDDAY_ZONE, budget));
    }

    @Test
    @DisplayName("It is spent as far as awards fit in it, and never exceeded, however many draws come at once.")
    void neverExceeded() throws Exception {
        TestActivity activity = open(RULES, "{\"amount\": \"20\", \"onReached\": \"FALLBACK\"}");
        for (int i = 0; i < 20; i++) {
            activity.recharge("user-" + i);
        }
        for (Response draw : TestActivity.inParallel(300, i -> activity.draw("user-" + i % 20, "draw-" + i))) {
            assertThat(draw.status()).as(draw.text()).isEqualTo(201);
        }
        assertThat(spent(activity, ""))
                .isEqualByComparingTo(shares(activity))
                .isBetween(new BigDecimal("19.7"), new BigDecimal("20"));
        assertThat(overBudget(activity)).contains("[2, 3]");
        Response last = activity.draw("user-0", "last");
        assertThat(last.json().get("award").get("awardId").asInt()).isEqualTo(1);
    }

    @Test
    @DisplayName("A budget of a day is not exceeded either.")
    void ofDay() {
        TestActivity activity = open(RULES, "{\"amount\": \"100\", \"perDay\": \"2.1\", \"onReached\": \"FALLBACK\"}");
        activity.recharge("ann");
        for (int i = 0; i < 80; i++) {
            activity.draw("ann", "draw-" + i);
        }
        assertThat(spent(activity, "/%"))
                .isEqualByComparingTo(shares(activity))
                .isBetween(new BigDecimal("1.8"), new BigDecimal("2.1"));
        assertThat(spent(activity, "")).isEqualByComparingTo(shares(activity));
    }

    @Test
    @DisplayName(
            "A budget that pauses draws refuses them when the most expensive award does not fit, and takes no chance.")
    void pauses() {
        TestActivity activity = open(COFFEE.formatted("TEXT"), "{\"amount\": \"3.5\", \"onReached\": \"PAUSE\"}");
        activity.recharge("ann");
        Response draws = activity.draw("ann", "{\"count\": 10}", "ten");
        assertThat(draws.json().get("draws")).hasSize(3);
        assertThat(draws.json().at("/notDrawn/code").asString()).isEqualTo("BUDGET_REACHED");
        Response refused = activity.draw("ann", "more");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().get("code").asString()).isEqualTo("BUDGET_REACHED");
        assertThat(database.sql("SELECT count(*) FROM event WHERE type = 'account.chance-spent' AND aggregate_id = ?")
                        .param(ann(activity).text())
                        .query(Integer.class)
                        .single())
                .isEqualTo(3);
    }

    @Test
    @DisplayName("A budget that pauses draws lets none pass that could not win the most expensive award, in parallel.")
    void pausesAtOnce() throws Exception {
        TestActivity activity = open(RULES, "{\"amount\": \"10\", \"onReached\": \"PAUSE\"}");
        for (int i = 0; i < 20; i++) {
            activity.recharge("user-" + i);
        }
        List<Response> draws = TestActivity.inParallel(200, i -> activity.draw("user-" + i % 20, "draw-" + i));
        assertThat(draws).extracting(Response::status).containsOnly(201, 409);
        assertThat(spent(activity, ""))
                .isEqualByComparingTo(shares(activity))
                .isBetween(new BigDecimal("8.5"), new BigDecimal("10"));
        assertThat(database.sql("""
                        SELECT max(before) FROM (
                            SELECT coalesce(sum(share) OVER (ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
                            FROM (
                                SELECT drawn.position, coalesce((won.payload #>> '{budgetShare,amount}')::numeric, 0) AS share
                                FROM event_readable AS drawn LEFT JOIN event_readable AS won
                                  ON won.type = 'award.won' AND won.aggregate_id = 'award:' || substr(drawn.aggregate_id, 7)
                                WHERE drawn.type = 'raffle.drawn' AND (drawn.payload ->> 'activityId')::bigint = ?
                            ) AS draws) AS sums""").param(activity.id).query(BigDecimal.class).single())
                .as("what was spent before a draw")
                .isLessThanOrEqualTo(new BigDecimal("8.5"));
        assertThat(overBudget(activity)).isEmpty();
    }

    @Test
    @DisplayName("A request for ten draws near the end of the budget is answered, whatever its draws win.")
    void severalDraws() {
        TestActivity activity = open(RULES, "{\"amount\": \"6\", \"onReached\": \"PAUSE\"}");
        activity.recharge("ann");
        Response draws;
        int requests = 0;
        do {
            draws = activity.draw("ann", "{\"count\": 10}", "ten-" + requests++);
            assertThat(draws.status()).as(draws.text()).isIn(201, 409);
        } while (draws.status() == 201);
        assertThat(spent(activity, ""))
                .isEqualByComparingTo(shares(activity))
                .isBetween(new BigDecimal("4.5"), new BigDecimal("6"));
    }

    @ParameterizedTest
    @CsvSource({"RETURN_CHANCE,0", "SUBSTITUTE,0.1"})
    @DisplayName("What a lost award cost is given back, but for its substitute.")
    void givenBack(Remedy remedy, String left) {
        TestActivity activity =
                open(COFFEE.formatted("CODE"), "{\"amount\": \"1\", \"perDay\": \"1\", \"onReached\": \"FALLBACK\"}");
        activity.recharge("ann");
        AwardRecordId won = AwardRecordId.of(
                activity.draw("ann", "first").json().get("awardRecordId").asString());
        assertThat(spent(activity, "")).isEqualByComparingTo("1");
        assertThat(activity.draw("ann", "second").json().get("outcome").asString())
                .isEqualTo("NOTHING");

        http.post("/api/v1/award-records/" + won + "/fulfilments", "{\"result\": \"REJECTED\", \"reference\": \"r\"}");
        var _ = commands.send(new CompensateAward(ann(activity), won, remedy)).orThrow();
        assertThat(spent(activity, "")).isEqualByComparingTo(left);
        assertThat(spent(activity, "/%")).isEqualByComparingTo(left);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'amount': '0.9', 'onReached': 'PAUSE'}|submit|cost more than the budget: 2",
                "{'amount': '9', 'perDay': '0.9', 'onReached': 'FALLBACK'}|submit|cost more than the budget: 2",
                "{'amount': '9', 'perDay': '10', 'onReached': 'FALLBACK'}|create|the budget of a day is at most",
                "{'amount': '0', 'onReached': 'FALLBACK'}|create|/budget/amount",
                "{'amount': '1000000001', 'onReached': 'FALLBACK'}|create|/budget/amount",
                "{'amount': '0.0000001', 'onReached': 'FALLBACK'}|create|/budget/amount",
                "{'amount': '9'}|create|/budget/onReached"
            },
            quoteCharacter = '"')
    @DisplayName("A budget that does not fit is refused.")
    void unfit(String budget, String step, String finding) {
        TestActivity activity = TestActivity.open(http, COFFEE.formatted("TEXT"));
        long id = activity.id + 1_000_000;
        Response created = http.post("/api/v1/activities", """
                {"activityId": %d, "name": "Dear", "beginsAt": "2020-01-01T00:00:00+08:00", "budget": %s,
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d,
                 "free": {"total": 1, "month": 1, "day": 1}}""".formatted(id, budget.replace('\'', '"'), activity.id));
        if (step.equals("create")) {
            assertThat(created.status()).isEqualTo(400);
            assertThat(created.text()).contains(finding);
        } else {
            assertThat(created.status()).as(created.text()).isEqualTo(201);
            Response submitted = http.post("/api/v1/activities/" + id + "/transitions", "{\"action\": \"submit\"}");
            assertThat(submitted.status()).isEqualTo(409);
            assertThat(submitted.text()).contains(finding);
        }
    }

    private static AccountId ann(TestActivity activity) {
        return new AccountId(new ActivityId(activity.id), new UserId("ann"));
    }

    /** Returns what the counter says, of the whole budget or of a day. */
    private BigDecimal spent(TestActivity activity, String which) {
        return database.sql("SELECT sum(taken) / 1e6 FROM counter WHERE name LIKE ?")
                .param("budget:" + activity.id + which)
                .query(BigDecimal.class)
                .single();
    }

    /** Returns what the wins have taken. */
    private BigDecimal shares(TestActivity activity) {
        return database.sql("SELECT sum((payload #>> '{budgetShare,amount}')::numeric) FROM event_readable"
                        + " WHERE type = 'award.won' AND (payload ->> 'activityId')::bigint = ?")
                .param(activity.id)
                .query(BigDecimal.class)
                .single();
    }

    private List<@Nullable String> overBudget(TestActivity activity) {
        return database.sql("SELECT DISTINCT payload ->> 'overBudget' FROM event_readable WHERE type = 'raffle.drawn'"
                        + " AND (payload ->> 'activityId')::bigint = ? AND payload -> 'overBudget' IS NOT NULL")
                .param(activity.id)
                .query(String.class)
                .list();
    }
}
