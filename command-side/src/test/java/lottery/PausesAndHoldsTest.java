package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import lottery.Http.Response;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("Pauses of an activity, and held awards")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class PausesAndHoldsTest {

    private static final String TELEPHONES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 2, "title": "Telephone", "type": "TEXT", "rate": "0.9999999", "sort": 2, "stock": 100},
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.0000001", "sort": 1}]""";

    private static final String EARNED_AND_SOLD = """
            "free": {"total": 20, "month": 20, "day": 20}, "skus": [
              {"sku": 1, "total": 5, "month": 5, "day": 5},
              {"sku": 2, "total": 5, "month": 5, "day": 5, "priceCredits": "3"}]""";

    private final Http http;
    private final JdbcClient database;

    @Autowired
    PausesAndHoldsTest(@LocalServerPort int port, JdbcClient database) {
        this.http = new Http(port);
        this.database = database;
    }

    private static String code(Response response) {
        return response.json().path("code").asString();
    }

    private static int won(Response drawn) {
        assertThat(drawn.status()).as(drawn.text()).isEqualTo(201);
        return drawn.json().path("award").path("awardId").asInt();
    }

    private Response recharge(TestActivity activity, String number, int sku, String more) {
        return http.post(
                activity.account("ann") + "/recharges",
                "{\"sku\": %d, \"outBusinessNo\": \"%s-%d\"%s}".formatted(sku, number, activity.id, more));
    }

    private Response hold(TestActivity activity, int awardId, String action) {
        return http.post(
                "/api/v1/activities/%d/awards/%d/%s".formatted(activity.id, awardId, action),
                "{\"reason\": \"The codes are wrong\"}");
    }

    @Test
    @DisplayName("A pause refuses what is spent, and nothing else; afterwards all goes on.")
    void paused() {
        TestActivity activity = TestActivity.open(http, TELEPHONES, EARNED_AND_SOLD);
        Response before = activity.draw("ann", "before");
        assertThat(won(before)).isEqualTo(2);
        String order = activity.partake("ann").json().path("orderId").asString();
        String other = activity.partake("ben").json().path("orderId").asString();
        activity.transition("pause");

        assertThat(code(activity.draw("ann", "during"))).isEqualTo("ACTIVITY_PAUSED");
        assertThat(code(activity.draw("new", "during"))).isEqualTo("ACTIVITY_PAUSED");
        assertThat(code(activity.partake("new"))).isEqualTo("ACTIVITY_PAUSED");
        assertThat(code(http.post(activity.account("new") + "/entries", "", "Idempotency-Key", "during")))
                .isEqualTo("ACTIVITY_PAUSED");
        assertThat(code(activity.drawOrder(order))).isEqualTo("ACTIVITY_PAUSED");
        assertThat(code(recharge(activity, "bought", 2, ""))).isEqualTo("ACTIVITY_PAUSED");
        assertThat(code(recharge(activity, "later", 1, ", \"payLater\": true"))).isEqualTo("ACTIVITY_PAUSED");
        assertThat(recharge(activity, "earned", 1, "").status()).isEqualTo(201);
        assertThat(activity.cancel(other).status()).isEqualTo(200);
        Response again = activity.draw("ann", "before");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.text()).isEqualTo(before.text());
        assertThat(database.sql("SELECT count(*) FROM event_readable WHERE type IN ('raffle.drawn', 'credit.booked')"
                                + " AND (payload ->> 'activityId')::bigint = ?")
                        .param(activity.id)
                        .query(Long.class)
                        .single())
                .isEqualTo(1);

        activity.transition("resume");
        assertThat(activity.drawOrder(order).status()).isEqualTo(201);
        assertThat(won(activity.draw("ann", "during"))).isEqualTo(2);
        activity.transition("pause");
        activity.transition("close");
        assertThat(code(activity.draw("ann", "late"))).isEqualTo("ACTIVITY_NOT_OPEN");
    }

    @Test
    @DisplayName("A held award is drawn as if it were sold out, and the draw says so.")
    void held() {
        TestActivity activity = TestActivity.open(http, TELEPHONES, EARNED_AND_SOLD);
        assertThat(won(activity.draw("ann", "one"))).isEqualTo(2);
        assertThat(hold(activity, 2, "hold").text())
                .isEqualTo("{\"activityId\":%d,\"awardId\":2,\"held\":true}".formatted(activity.id));
        assertThat(hold(activity, 2, "hold").status()).isEqualTo(200);
        Response two = activity.draw("ann", "two");
        assertThat(won(two)).isEqualTo(1);
        assertThat(two.json().path("outcome").asString()).isEqualTo("FALLBACK");
        assertThat(hold(activity, 1, "hold").status()).isEqualTo(200);
        Response three = activity.draw("ann", "three");
        assertThat(three.json().path("outcome").asString()).isEqualTo("NOTHING");
        assertThat(hold(activity, 2, "release").json().path("held").asBoolean()).isFalse();
        assertThat(won(activity.draw("ann", "four"))).isEqualTo(2);

        assertThat(database.sql("SELECT coalesce(payload ->> 'held', '-') FROM event_readable"
                                + " WHERE type = 'raffle.drawn' AND (payload ->> 'activityId')::bigint = ?"
                                + " ORDER BY position")
                        .param(activity.id)
                        .query((row, _) -> String.valueOf(row.getString(1)))
                        .list())
                .isEqualTo(List.of("-", "[2]", "[1, 2]", "[1]"));
        assertThat(code(hold(activity, 99, "hold"))).isEqualTo("NOT_FOUND");
    }
}
