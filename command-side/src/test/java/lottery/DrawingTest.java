package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import lottery.Http.Response;
import lottery.api.UserId;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyId;
import lottery.raffle.DrawTicket;
import lottery.rule.CompiledStrategy;
import lottery.rule.DrawDecision;
import lottery.rule.DrawSituation;
import lottery.strategy.StrategyCache;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("The command side over REST")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class DrawingTest {

    private static final AtomicLong IDS = new AtomicLong(1000);

    private final Http http;
    private final EventStore events;
    private final StrategyCache strategies;
    private final JdbcClient database;

    private long activity;

    @Autowired
    DrawingTest(@LocalServerPort int port, EventStore events, StrategyCache strategies, JdbcClient database) {
        this.http = new Http(port);
        this.events = events;
        this.strategies = strategies;
        this.database = database;
    }

    @BeforeEach
    void anOpenActivity() {
        activity = IDS.incrementAndGet();
        open(strategy(activity));
    }

    private void open(String strategy) {
        assertThat(http.post("/api/v1/strategies", strategy).status()).isEqualTo(201);
        assertThat(http.post("/api/v1/activities", activity(activity)).status()).isEqualTo(201);
        for (String action : List.of("submit", "pass", "start")) {
            assertThat(transition(action).status()).isEqualTo(200);
        }
    }

    @Nested
    @DisplayName("A draw")
    class Drawing {

        @Test
        @DisplayName("A user with chances draws, and the answer has the outcome.")
        void draws() {
            assertThat(recharge("ann", "r1").status()).isEqualTo(201);
            Response draw = draw("ann", "first");
            assertThat(draw.status()).isEqualTo(201);
            assertThat(draw.json().get("outcome").asString()).isEqualTo("WON");
            assertThat(draw.json().get("award").get("title").asString()).isEqualTo("Coffee");
            assertThat(draw.json().get("orderId").asString()).startsWith("order:33-");
            assertThat(draw.json().get("awardRecordId").asString()).startsWith("award:33-");
            assertThat(draw.json().get("strategyVersion").asInt()).isEqualTo(1);
        }

        @Test
        @DisplayName("The caller's trace id is in the answer of a draw and in each of its events.")
        void traced() {
            recharge("ann", "r1");
            String trace = "4bf92f3577b34da6a3ce929d%08x".formatted(activity);
            Response draw =
                    http.post(account("ann") + "/draws", "", "traceparent", "00-" + trace + "-00f067aa0ba902b7-01");
            assertThat(draw.header("Trace-Id")).isEqualTo(trace);
            assertThat(database.sql("SELECT type FROM event_readable WHERE metadata = jsonb_build_object('traceId', ?)"
                                    + " AND payload ->> 'userId' = 'ann' ORDER BY position")
                            .param(trace)
                            .query(String.class)
                            .list())
                    .contains("account.chance-spent", "raffle.drawn", "award.won");
        }

        @Test
        @DisplayName("A draw is made once per key, with the same answer for ever, also when no chance is left.")
        void idempotent() {
            recharge("ann", "r1");
            Response first = draw("ann", "first");
            draw("ann", "second");
            Response repeated = draw("ann", "first");
            assertThat(repeated.status()).isEqualTo(200);
            assertThat(repeated.text()).isEqualTo(first.text());
            assertThat(repeated.header("Idempotency-Replayed")).isEqualTo("true");
            assertThat(draw("ann", "third").json().get("code").asString()).isEqualTo("QUOTA_DAY");
            assertThat(draw("ann", "first").text()).isEqualTo(first.text());
        }

        @Test
        @DisplayName("A draw is made once per key when it is requested 50 times at once.")
        void idempotentInParallel() throws Exception {
            recharge("ann", "r1");
            Set<String> answers = new HashSet<>();
            int created = 0;
            for (Response answer : TestActivity.inParallel(50, i -> TestActivity.insist(() -> draw("ann", "same")))) {
                assertThat(answer.status()).as(answer.text()).isIn(200, 201);
                created += answer.status() == 201 ? 1 : 0;
                answers.add(answer.text());
            }
            assertThat(answers).hasSize(1);
            assertThat(created).isEqualTo(1);
            assertThat(rows("account:33:" + activity + ":ann")).isEqualTo(2);
        }

        @Test
        @DisplayName("A user draws as often as there are chances, however many draws are requested at once.")
        void quotaHoldsInParallel() throws Exception {
            recharge("ann", "r1");
            long drawn = TestActivity.inParallel(40, i -> draw("ann", "key-" + i)).stream()
                    .filter(answer -> answer.status() == 201)
                    .count();
            assertThat(drawn).isEqualTo(2);
        }

        @Test
        @DisplayName("Without a key each request makes a draw.")
        void withoutKey() {
            recharge("ann", "r1");
            String one = http.post(account("ann") + "/draws", "")
                    .json()
                    .get("orderId")
                    .asString();
            String other = http.post(account("ann") + "/draws", "{}")
                    .json()
                    .get("orderId")
                    .asString();
            assertThat(one).isNotEqualTo(other);
        }

        @Test
        @DisplayName("A draw can be decided again from the stored facts, with the same result.")
        void decidedAgain() {
            activity = IDS.incrementAndGet();
            open("""
                {"strategyId": %d, "mode": "SINGLE", "fallback": 1, "awards": [
                  {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.3", "sort": 1},
                  {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.2", "sort": 2},
                  {"awardId": 3, "title": "Weekend", "type": "TEXT", "rate": "0.3", "sort": 3, "lockedUntilDraws": 1}]}
                """.formatted(activity));
            CompiledStrategy rules = strategies.find(new StrategyId(activity)).orElseThrow();
            for (int i = 0; i < 40; i++) {
                String user = "user-" + i / 2;
                recharge(user, "r1");
                String order = draw(user, "draw-" + i).json().get("orderId").asString();
                RaffleDrawn drawn =
                        (RaffleDrawn) events.readEvents(order).next().getPayload();

                DrawDecision again = rules.decide(
                        new DrawSituation(
                                drawn.userId(),
                                drawn.drawsBefore(),
                                drawn.drawsBeforeToday(),
                                Set.copyOf(drawn.soldOut())),
                        new DrawTicket(drawn.ticket()));

                assertThat(again.outcome()).isEqualTo(drawn.outcome());
                assertThat(Optional.ofNullable(again.award()).map(AwardDefinition::awardId))
                        .isEqualTo(Optional.ofNullable(drawn.award()).map(Prize::awardId));
                assertThat(drawn.drawsBeforeToday()).isEqualTo(i % 2);
            }
        }

        @Test
        @DisplayName("A user can draw with chances that another node has just recharged.")
        void rechargedElsewhere() {
            recharge("ann", "r1");
            draw("ann", "1");
            draw("ann", "2");
            assertThat(draw("ann", "3").json().get("code").asString()).isEqualTo("QUOTA_DAY");

            UserId ann = new UserId("ann");
            AccountId account = new AccountId(new ActivityId(activity), ann);
            AccountRecharged elsewhere = new AccountRecharged(
                    account.activityId(), ann, RechargeId.of(ann, "elsewhere"), new ChanceBundle(1, 1, 1));
            events.publish(new GenericDomainEventMessage<>("account", account.text(), 3, elsewhere));

            assertThat(draw("ann", "3").status()).isEqualTo(201);
        }
    }

    @Nested
    @DisplayName("A recharge")
    class Recharging {

        @Test
        @DisplayName("A recharge is made once per business number, with the same answer each time.")
        void once() {
            Response first = recharge("ann", "r1");
            Response repeated = recharge("ann", "r1");
            assertThat(first.status()).isEqualTo(201);
            assertThat(first.json().get("state").asString()).isEqualTo("COMPLETED");
            assertThat(repeated.status()).isEqualTo(200);
            assertThat(repeated.text()).isEqualTo(first.text());
            assertThat(repeated.header("Idempotency-Replayed")).isEqualTo("true");
            assertThat(rows("account:33:" + activity + ":ann")).isEqualTo(1);
        }

        @Test
        @DisplayName("A recharge in a closed activity is refused, but an earlier one is still answered.")
        void closed() {
            Response first = recharge("ann", "r1");
            transition("close");
            assertThat(recharge("ann", "r1").text()).isEqualTo(first.text());
            assertThat(recharge("ann", "r2").json().get("code").asString()).isEqualTo("ACTIVITY_NOT_OPEN");
        }

        @Test
        @DisplayName("Another recharge under a used business number is refused.")
        void anotherSku() {
            recharge("ann", "r1");
            Response other = http.post(
                    account("ann") + "/recharges", "{\"sku\": 2, \"outBusinessNo\": \"r1-" + activity + "\"}");
            assertThat(other.status()).isEqualTo(422);
            assertThat(other.json().get("code").asString()).isEqualTo("KEY_REUSED");
        }
    }

    @Nested
    @DisplayName("Refusals, which write nothing")
    class DrawRefusals {

        @Test
        @DisplayName("A user without an account is refused for lack of chances.")
        void nobody() {
            assertThat(draw("nobody", "k").json().get("code").asString()).isEqualTo("QUOTA_TOTAL");
        }

        @Test
        @DisplayName("An activity, a SKU and a path that do not exist are not found.")
        void unknown() {
            assertThat(http.post("/api/v1/activities/999999/accounts/ann/draws", "")
                            .json()
                            .get("code")
                            .asString())
                    .isEqualTo("NOT_FOUND");
            assertThat(http.post(account("ann") + "/recharges", "{\"sku\": 77, \"outBusinessNo\": \"x\"}")
                            .status())
                    .isEqualTo(404);
            assertThat(http.get("/api/v1/nothing-here").json().get("code").asString())
                    .isEqualTo("NOT_FOUND");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{\"sku\": 1}|/outBusinessNo",
                    "{\"sku\": -1, \"outBusinessNo\": \"x\"}|/sku",
                    "{\"sku\": \"one\", \"outBusinessNo\": \"x\"}|/sku",
                    "{\"sku\": 1, \"outBusinessNo\": \"x\", \"total\": 99}|/total",
                    "{\"sku\": 1, \"outBusinessNo\": \"x\\u0000\"}|/outBusinessNo",
                    "{\"sku\": 1, \"outBusinessNo\": \"x\\ud800\"}|/outBusinessNo",
                })
        @DisplayName("A malformed request is refused, and the answer points to the mistake.")
        void malformed(String body, String pointer) {
            Response response = http.post(account("ann") + "/recharges", body);
            assertThat(response.status()).isEqualTo(400);
            assertThat(response.json().get("code").asString()).isEqualTo("INVALID");
            assertThat(response.json().get("findings").get(0).get("pointer").asString())
                    .isEqualTo(pointer);
        }

        @Test
        @DisplayName("A strategy without a mode is refused, and the answer points to it.")
        void strategyWithoutMode() {
            Response response =
                    http.post("/api/v1/strategies", strategy(activity).replace("\"mode\": \"SINGLE\",", ""));
            assertThat(response.status()).isEqualTo(400);
            assertThat(response.json().get("findings").get(0).get("pointer").asString())
                    .isEqualTo("/mode");
        }

        @ParameterizedTest
        @ValueSource(strings = {"{", "[]", "nonsense", "null", "{\"awards\": {}}"})
        @DisplayName("A body that is no strategy is refused.")
        void noStrategy(String body) {
            assertThat(http.post("/api/v1/strategies", body).status()).isEqualTo(400);
        }

        @ParameterizedTest
        @ValueSource(strings = {"%20", "a%00b", "a%0Ab"})
        @DisplayName("Invalid user ids are refused.")
        void userIds(String userId) {
            assertThat(http.post("/api/v1/activities/" + activity + "/accounts/" + userId + "/draws", "")
                            .status())
                    .isEqualTo(400);
            assertThat(http.post("/api/v1/activities/" + activity + "/accounts/" + "x".repeat(65) + "/draws", "")
                            .status())
                    .isEqualTo(400);
        }

        @Test
        @DisplayName("A key that is too long, more than ten draws at once, and a body of two mebibytes are refused.")
        void limits() {
            assertThat(draw("ann", "k".repeat(256))
                            .json()
                            .get("findings")
                            .get(0)
                            .get("pointer")
                            .asString())
                    .isEqualTo("/Idempotency-Key");
            assertThat(http.post(account("ann") + "/draws", "{\"count\": 11}").status())
                    .isEqualTo(400);
            assertThat(http.post("/api/v1/strategies", "{\"mode\": \"" + "x".repeat(2 << 20) + "\"}")
                            .status())
                    .isEqualTo(400);
        }

        @Test
        @DisplayName("A refusal is in the caller's language, with a page that explains it.")
        void inBothLanguages() {
            Response chinese = http.post(account("nobody") + "/draws", "", "Accept-Language", "zh-CN,zh;q=0.9");
            assertThat(chinese.json().get("title").asString()).isEqualTo("抽奖次数已用完");
            Response english = http.post(account("nobody") + "/draws", "", "Accept-Language", "fr");
            assertThat(english.json().get("title").asString()).isEqualTo("No chances left");
            assertThat(english.header("Content-Type")).startsWith("application/problem+json");
            assertThat(english.json().get("retryable").asBoolean()).isFalse();
            assertThat(english.json().get("traceId").asString()).hasSize(32).isEqualTo(english.header("Trace-Id"));
            assertThat(http.get(english.json().get("type").asString()).text()).contains("QUOTA_TOTAL");
        }
    }

    @Test
    @DisplayName("The same definition is accepted twice, and another one under its id is refused.")
    void definitionsOnce() {
        assertThat(http.post("/api/v1/strategies", strategy(activity)).header("Idempotency-Replayed"))
                .isEqualTo("true");
        assertThat(http.post("/api/v1/strategies", strategy(activity).replace("Coffee", "Tea"))
                        .status())
                .isEqualTo(422);
        assertThat(http.post("/api/v1/activities", activity(activity)).header("Idempotency-Replayed"))
                .isEqualTo("true");
        assertThat(http.post("/api/v1/activities", activity(activity).replace("Spring", "Autumn"))
                        .status())
                .isEqualTo(422);
    }

    @Test
    @DisplayName("An activity without a strategy is not submitted.")
    void strategyUnknown() {
        long lonely = IDS.incrementAndGet();
        http.post("/api/v1/activities", activity(lonely));
        Response response = http.post("/api/v1/activities/" + lonely + "/transitions", "{\"action\": \"submit\"}");
        assertThat(response.status()).isEqualTo(409);
        assertThat(response.json().get("code").asString()).isEqualTo("STRATEGY_INVALID");
        assertThat(response.json().get("findings").get(0).get("pointer").asString())
                .isEqualTo("/strategyId");
    }

    private Response recharge(String user, String outBusinessNo) {
        return http.post(
                account(user) + "/recharges",
                "{\"sku\": 1, \"outBusinessNo\": \"%s-%d\"}".formatted(outBusinessNo, activity));
    }

    private Response draw(String user, String key) {
        return http.post(account(user) + "/draws", "", "Idempotency-Key", key);
    }

    private Response transition(String action) {
        return http.post("/api/v1/activities/" + activity + "/transitions", "{\"action\": \"%s\"}".formatted(action));
    }

    private String account(String user) {
        return "/api/v1/activities/" + activity + "/accounts/" + user;
    }

    private long rows(String aggregate) {
        return database.sql("SELECT count(*) FROM event WHERE aggregate_id = ?")
                .param(aggregate)
                .query(Long.class)
                .single();
    }

    private static String strategy(long id) {
        return """
            {"strategyId": %d, "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "config": {"text": "x"}, "rate": "1", "sort": 1}]}
            """.formatted(id);
    }

    private static String activity(long id) {
        return """
            {"activityId": %d, "name": "Spring", "beginsAt": "2020-01-01T00:00:00+08:00",
             "endsAt": "2120-01-01T00:00:00+08:00", "zone": "%s", "strategyId": %d, "skus": [
               {"sku": 1, "total": 10, "month": 5, "day": 2}, {"sku": 2, "total": 1, "month": 1, "day": 1}]}
            """.formatted(id, TestActivity.MIDDAY_ZONE, id);
    }
}
