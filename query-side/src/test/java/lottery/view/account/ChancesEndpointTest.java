package lottery.view.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleOrderId;
import lottery.stage.OnStage;
import lottery.stage.Script;
import lottery.stage.StageClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@OnStage
@DisplayName("The chances of a user over REST")
class ChancesEndpointTest {

    private static final Duration SOON = Duration.ofSeconds(15);
    private static final UserId ANN = new UserId("ann");

    private final MockMvcTester mvc;
    private final Script script;
    private final StageClock clock;
    private final JdbcClient sql;
    private final TransactionTemplate transaction;

    @Autowired
    ChancesEndpointTest(
            MockMvcTester mvc,
            Script script,
            StageClock clock,
            JdbcClient sql,
            PlatformTransactionManager transactionManager) {
        this.mvc = mvc;
        this.script = script;
        this.clock = clock;
        this.sql = sql;
        this.transaction = new TransactionTemplate(transactionManager);
    }

    @BeforeEach
    void noon() {
        clock.set("2026-03-31T04:00:00Z");
    }

    @Test
    @DisplayName("The chances follow from the events, and a new day and month begin at midnight in Shanghai.")
    void midnight() {
        ActivityId activity = script.activity();
        AccountId account = new AccountId(activity, ANN);
        script.recharged(account, 10, 5, 2);
        script.spent(account, "2026-03-31");
        clock.set("2026-03-31T15:59:59.999Z");

        awaitBody(activity, ANN, """
                {"total": {"count": 10, "used": 1, "left": 9},
                 "month": {"count": 5, "used": 1, "left": 4, "month": "2026-03"},
                 "day": {"count": 2, "used": 1, "left": 1, "day": "2026-03-31"}, "openOrderId": null}""");

        clock.set("2026-03-31T16:00:00Z");

        assertThat(get(activity, ANN)).bodyJson().isStrictlyEqualTo("""
                {"total": {"count": 10, "used": 1, "left": 9},
                 "month": {"count": 5, "used": 0, "left": 5, "month": "2026-04"},
                 "day": {"count": 2, "used": 0, "left": 2, "day": "2026-04-01"}, "openOrderId": null}""");
    }

    @Test
    @DisplayName("The chances are those of the day that is booked already, if another clock was faster.")
    void lateClock() {
        ActivityId activity = script.activity();
        AccountId account = new AccountId(activity, ANN);
        script.recharged(account, 10, 5, 2);
        script.spent(account, "2026-04-01");
        clock.set("2026-03-31T15:59:59.999Z");

        awaitBodyLike(activity, ANN, """
                {"total": {"used": 1}, "month": {"used": 1, "month": "2026-04"}, "day": {"used": 1, "day": "2026-04-01"}}""");
    }

    @Test
    @DisplayName("The chances are the same when every event is delivered again.")
    void replay() {
        ActivityId activity = script.activity();
        AccountId account = new AccountId(activity, ANN);
        script.recharged(account, 10, 5, 2);
        script.spent(account, "2026-03-31");
        script.recharged(account, 10, 5, 2);
        String once = """
                {"total": {"count": 20, "used": 1}, "month": {"count": 10, "used": 1}, "day": {"count": 4, "used": 1}}""";
        awaitBodyLike(activity, ANN, once);

        script.replay("accounts");

        assertThat(get(activity, ANN)).bodyJson().isLenientlyEqualTo(once);
        assertThat(version(activity)).isEqualTo(2);
    }

    @Test
    @DisplayName("The answer names the open order until it is drawn or cancelled, also after a second delivery.")
    void openOrder() {
        ActivityId activity = script.activity();
        AccountId account = new AccountId(activity, ANN);
        script.recharged(account, 10, 5, 3);
        RaffleOrderId drawn = script.opened(account, "2026-03-31");
        String used = "{'total': {'used': %d}, 'month': {'used': %d}, 'day': {'used': %d}, 'openOrderId': %s}";
        awaitBodyLike(activity, ANN, used.formatted(1, 1, 1, quoted(drawn)));

        script.used(account, drawn, "2026-03-31");
        awaitBodyLike(activity, ANN, used.formatted(1, 1, 1, "null"));
        RaffleOrderId cancelled = script.opened(account, "2026-03-31");
        awaitBodyLike(activity, ANN, used.formatted(2, 2, 2, quoted(cancelled)));
        script.returned(account, cancelled, "2026-03-31");
        awaitBodyLike(activity, ANN, used.formatted(1, 1, 1, "null"));
        RaffleOrderId open = script.opened(account, "2026-03-31");
        String now = used.formatted(2, 2, 2, quoted(open));
        awaitBodyLike(activity, ANN, now);

        script.replay("accounts");

        assertThat(get(activity, ANN)).bodyJson().isLenientlyEqualTo(now);
        assertThat(version(activity)).isEqualTo(5);
    }

    private static String quoted(RaffleOrderId order) {
        return "'" + order.text() + "'";
    }

    @Test
    @DisplayName("The chances of a user without an account are zero.")
    void nobody() {
        ActivityId activity = script.activity();

        awaitBody(activity, new UserId("nobody"), """
                {"total": {"count": 0, "used": 0, "left": 0},
                 "month": {"count": 0, "used": 0, "left": 0, "month": "2026-03"},
                 "day": {"count": 0, "used": 0, "left": 0, "day": "2026-03-31"}, "openOrderId": null}""");
    }

    @Test
    @DisplayName("Chances in an activity that does not exist are refused.")
    void unknownActivity() {
        MvcTestResult answer = get(new ActivityId(987_654), ANN);

        assertThat(answer).hasStatus(HttpStatus.NOT_FOUND);
        assertThat(answer).bodyJson().isLenientlyEqualTo("{'why': 'NOT_FOUND', 'subject': 'activity:987654'}");
    }

    @Test
    @DisplayName("The answer has an ETag, and is not sent again to a caller that has it.")
    void tag() {
        ActivityId activity = script.activity();
        awaitBodyLike(activity, ANN, "{'total': {'count': 0}}");
        String tag = String.valueOf(get(activity, ANN).getResponse().getHeader(HttpHeaders.ETAG));

        assertThat(mvc.get()
                        .uri(uri(activity, ANN))
                        .header(HttpHeaders.IF_NONE_MATCH, tag)
                        .exchange())
                .hasStatus(HttpStatus.NOT_MODIFIED);
    }

    @Test
    @DisplayName("The request is refused as busy after two seconds if the database does not answer.")
    void busy() {
        ActivityId activity = script.activity();
        awaitBodyLike(activity, ANN, "{'total': {'count': 0}}");

        long began = System.nanoTime();
        MvcTestResult answer = transaction.execute(status -> {
            sql.sql("LOCK TABLE view_activity IN ACCESS EXCLUSIVE MODE").update();
            return mvc.get().uri(uri(activity, ANN) + "?after=1").exchange();
        });

        assertThat(answer).isNotNull().hasStatus(HttpStatus.SERVICE_UNAVAILABLE);
        assertThat(answer).bodyJson().isLenientlyEqualTo("{'why': 'BUSY'}");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
    }

    private void awaitBody(ActivityId activity, UserId user, String json) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(get(activity, user)).bodyJson().isStrictlyEqualTo(json));
    }

    private void awaitBodyLike(ActivityId activity, UserId user, String json) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(get(activity, user)).bodyJson().isLenientlyEqualTo(json));
    }

    private MvcTestResult get(ActivityId activity, UserId user) {
        return mvc.get().uri(uri(activity, user)).exchange();
    }

    private static String uri(ActivityId activity, UserId user) {
        return "/api/v1/activities/" + activity.value() + "/accounts/" + user;
    }

    private long version(ActivityId activity) {
        return sql.sql("SELECT version FROM view_account WHERE activity_id = ?")
                .param(activity.value())
                .query(Long.class)
                .single();
    }
}
