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

@DisplayName("Free chances, and limits for each user")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class UserLimitsTest {

    private static final String FREE = """
            "free": {"total": 20, "month": 20, "day": 20}""";

    /** Each draw wins the second award, as long as one can. */
    private static final String TWO_EACH = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 2, "title": "Telephone", "type": "TEXT", "rate": "0.9999999", "sort": 2, "maxPerUser": 2},
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.0000001", "sort": 1}]""";

    private final Http http;
    private final JdbcClient database;

    @Autowired
    UserLimitsTest(@LocalServerPort int port, JdbcClient database) {
        this.http = new Http(port);
        this.database = database;
    }

    /** Returns the awards that the draws named as reached, in the order of the draws: - for none. */
    private List<String> reached(TestActivity activity) {
        return database.sql("SELECT coalesce(payload ->> 'reached', '-') FROM event_readable"
                        + " WHERE type = 'raffle.drawn' AND (payload ->> 'activityId')::bigint = ? ORDER BY position")
                .param(activity.id)
                .query((row, _) -> String.valueOf(row.getString(1)))
                .list();
    }

    private long events(String type, TestActivity activity) {
        return database.sql("SELECT count(*) FROM event_readable"
                        + " WHERE type = ? AND (payload ->> 'activityId')::bigint = ?")
                .params(type, activity.id)
                .query(Long.class)
                .single();
    }

    @Test
    @DisplayName("Several draws at once keep the limit among each other, and open the account once.")
    void atOnce() {
        TestActivity activity = TestActivity.open(http, TWO_EACH, FREE);
        Response drawn = activity.draw("ann", "{\"count\": 5}", "five");
        assertThat(drawn.status()).as(drawn.text()).isEqualTo(201);
        assertThat(drawn.json()
                        .path("draws")
                        .valueStream()
                        .map(draw -> draw.path("award").path("awardId").asInt()))
                .containsExactly(2, 2, 1, 1, 1);
        assertThat(reached(activity)).containsExactly("-", "-", "[2]", "[2]", "[2]");
        assertThat(events("account.limited-award-won", activity)).isEqualTo(2);
        assertThat(events("account.opened", activity)).isEqualTo(1);
        assertThat(activity.draw("ann", "{\"count\": 5}", "five").text()).isEqualTo(drawn.text());
    }

    @Test
    @DisplayName("An order that is drawn later counts like a draw, whoever draws it.")
    void later() {
        TestActivity activity = TestActivity.open(http, TWO_EACH, FREE);
        for (int i = 0; i < 3; i++) {
            String order = activity.partake("ann").json().path("orderId").asString();
            Response drawn = i == 1 ? activity.draw("ann", "draw") : activity.drawOrder(order);
            assertThat(drawn.status()).as(drawn.text()).isEqualTo(201);
            assertThat(drawn.json().path("award").path("awardId").asInt()).isEqualTo(i < 2 ? 2 : 1);
        }
        assertThat(reached(activity)).containsExactly("-", "-", "[2]");
    }

    @Test
    @DisplayName("A refused first draw leaves nothing behind, and another user's limit is another one.")
    void others() {
        TestActivity none = TestActivity.open(http, TWO_EACH);
        assertThat(none.draw("ann", "early").json().path("code").asString()).isEqualTo("QUOTA_TOTAL");
        assertThat(none.partake("ann").json().path("code").asString()).isEqualTo("QUOTA_TOTAL");
        assertThat(database.sql("SELECT count(*) FROM event WHERE aggregate_id LIKE 'account:%:' || ? || ':%'")
                        .param(none.id)
                        .query(Long.class)
                        .single())
                .isZero();
        TestActivity activity = TestActivity.open(http, TWO_EACH, FREE);
        activity.draw("ann", "{\"count\": 3}", "three");
        Response bens = activity.draw("ben", "bens");
        assertThat(bens.json().path("award").path("awardId").asInt()).isEqualTo(2);
    }
}
