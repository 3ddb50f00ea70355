package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import lottery.Http.Response;
import lottery.api.account.RechargeCommand.CloseRecharge;
import lottery.api.account.RechargeId;
import lottery.api.account.RechargeResult.RechargeState;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

@DisplayName("A recharge")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class RechargingTest {

    private static final String RULES = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private static final String TWO_LEFT = """
            "skus": [{"sku": 1, "total": 10, "month": 10, "day": 10, "stock": 2}]""";

    private static final String LATER = ", \"payLater\": true";

    private final Http http;
    private final EndpointCommandSender commands;
    private final TestActivity activity;

    @Autowired
    RechargingTest(@LocalServerPort int port, EndpointCommandSender commands) {
        this.http = new Http(port);
        this.commands = commands;
        this.activity = TestActivity.open(http, RULES, TWO_LEFT);
    }

    private static String id(Response recharge) {
        return recharge.json().get("rechargeId").asString();
    }

    private static String state(Response recharge) {
        return recharge.json().get("state").asString();
    }

    private static String code(Response refused) {
        return refused.json().get("code").asString();
    }

    private Response complete(String rechargeId) {
        return http.post("/api/v1/recharges/" + rechargeId + "/completion", "");
    }

    @Nested
    @DisplayName("A recharge that is paid later")
    class PaidLater {

        private final Response ordered = activity.recharge("ann", "pay", LATER);

        @Test
        @DisplayName("A recharge waits for its payment, and brings its chances once when it is completed.")
        void completed() throws Exception {
            assertThat(ordered.status()).isEqualTo(201);
            assertThat(state(ordered)).isEqualTo("WAITING");
            assertThat(ordered.json().has("payBy")).isTrue();
            assertThat(code(activity.draw("ann", "too early"))).isEqualTo("QUOTA_TOTAL");
            Set<String> answers = new HashSet<>();
            for (Response answer : TestActivity.inParallel(20, i -> complete(id(ordered)))) {
                assertThat(answer.status()).as(answer.text()).isEqualTo(200);
                answers.add(answer.text());
            }
            assertThat(answers).hasSize(1);
            assertThat(state(http.get("/api/v1/recharges/" + id(ordered)))).isEqualTo("COMPLETED");
            assertThat(activity.draw("ann", "{\"count\": 10}", "all")
                            .json()
                            .get("draws")
                            .size())
                    .isEqualTo(10);
            assertThat(code(activity.draw("ann", "one more"))).isEqualTo("QUOTA_TOTAL");
            assertThat(complete(id(ordered)).header("Idempotency-Replayed")).isEqualTo("true");
        }

        @Test
        @DisplayName("A completed recharge adds to the existing chances.")
        void added() {
            activity.recharge("ann", "at once", "");
            complete(id(ordered));
            activity.draw("ann", "{\"count\": 10}", "ten");
            assertThat(activity.draw("ann", "{\"count\": 10}", "ten more")
                            .json()
                            .get("draws")
                            .size())
                    .isEqualTo(10);
        }

        @Test
        @DisplayName("The same recharge under its business number is a repetition, and any other is refused.")
        void repeated() {
            complete(id(ordered));
            Response repeated = activity.recharge("ann", "pay", LATER);
            assertThat(repeated.status()).isEqualTo(200);
            assertThat(repeated.text()).isEqualTo(ordered.text());
            assertThat(repeated.header("Idempotency-Replayed")).isEqualTo("true");
            assertThat(code(activity.recharge("ann", "pay", ""))).isEqualTo("KEY_REUSED");
        }

        @Test
        @DisplayName("A closed recharge brings nothing any more, and its unit is free for others.")
        void closed() {
            RechargeId rechargeId = RechargeId.of(id(ordered));
            activity.recharge("ben");
            assertThat(code(activity.recharge("cid", "late", ""))).isEqualTo("SKU_SOLD_OUT");
            commands.send(new CloseRecharge(rechargeId)).orThrow();
            assertThat(state(http.get("/api/v1/recharges/" + rechargeId))).isEqualTo("CLOSED");
            assertThat(code(complete(rechargeId.text()))).isEqualTo("RECHARGE_CLOSED");
            assertThat(activity.recharge("cid", "late", "").status()).isEqualTo(201);
        }

        @Test
        @DisplayName("A completed recharge stays completed when it is closed after that.")
        void tooLateToClose() {
            complete(id(ordered));
            assertThat(commands.send(new CloseRecharge(RechargeId.of(id(ordered))))
                            .orThrow()
                            .state())
                    .isEqualTo(RechargeState.COMPLETED);
        }

        @Test
        @DisplayName("A recharge is completed also when the activity is closed, because it is paid.")
        void paidAfterTheEnd() {
            activity.transition("close");
            assertThat(state(complete(id(ordered)))).isEqualTo("COMPLETED");
        }
    }

    @Test
    @DisplayName("A recharge takes a unit, and is refused when none is left, unless it is a repetition.")
    void soldOut() throws Exception {
        int made = 0;
        for (Response answer : TestActivity.inParallel(40, i -> activity.recharge("user-" + i % 20, "no-" + i, ""))) {
            assertThat(answer.status()).as(answer.text()).isIn(201, 409);
            made += answer.status() == 201 ? 1 : 0;
        }
        assertThat(made).isEqualTo(2);
        assertThat(code(activity.recharge("zoe", "late", ""))).isEqualTo("SKU_SOLD_OUT");
    }

    @Test
    @DisplayName("A recharge that does not exist is not found.")
    void unknown() {
        assertThat(code(complete("recharge:33-07226822-d971-81cf-8edd-f6a317c687d5")))
                .isEqualTo("NOT_FOUND");
        assertThat(complete("nonsense").status()).isEqualTo(400);
    }
}
