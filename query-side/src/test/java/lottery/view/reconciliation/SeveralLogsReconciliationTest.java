package lottery.view.reconciliation;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import lottery.api.Money;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.api.payment.PaymentEvent.MoneyRefunded;
import lottery.api.payment.PaymentEvent.MoneyTaken;
import lottery.api.payment.PaymentEvent.PaymentOrdered;
import lottery.api.payment.PaymentEvent.RefundOrdered;
import lottery.api.payment.PaymentId;
import lottery.api.payment.RefundReason;
import lottery.api.payment.Trade;
import lottery.stage.OnSeveralLogs;
import lottery.stage.Script;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@OnSeveralLogs
@DisplayName("The reconciliation of payments in several logs")
class SeveralLogsReconciliationTest {

    private static final int USERS = 9;
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String DIFFERENCES = "/api/v1/ops/payments/differences";
    private static final String DAY = "2026-03-31";
    private static final Instant NOON = Instant.parse("2026-03-31T12:00:00Z");
    private static final AtomicInteger PROVIDERS = new AtomicInteger();

    private final MockMvcTester mvc;
    private final Script script;
    private final JdbcClient sql;
    private final Logs logs;

    /** Each test has its own provider. */
    private final String provider = "provider-" + PROVIDERS.incrementAndGet();

    @Autowired
    SeveralLogsReconciliationTest(MockMvcTester mvc, Script script, JdbcClient sql, Logs logs) {
        this.mvc = mvc;
        this.script = script;
        this.sql = sql;
        this.logs = logs;
    }

    @Test
    @DisplayName("compares each statement with the trades of all of them.")
    void differences() throws Exception {
        takenOfEach("same");
        takenOfEach("cheaper");
        takenOfEach("forgotten");
        assertThat(users().mapToObj(user -> logs.of(payment(user, "same").text()))
                        .map(Log::number)
                        .collect(toSet()))
                .containsExactlyInAnyOrder(0, 1, 2);

        JsonNode summary = given(
                lines("same", "TAKEN", "9.90") + lines("cheaper", "TAKEN", "9.89") + lines("unknown", "TAKEN", "7.00"));

        assertThat(told(listed(false, 20)))
                .containsExactlyInAnyOrderElementsOf(users().boxed()
                        .flatMap(user -> List.of(
                                "cheaper-%d TAKEN AMOUNT_DIFFERS 9.90 9.89".formatted(user),
                                "forgotten-%d TAKEN MISSING_THERE 9.90 none".formatted(user),
                                "unknown-%d TAKEN MISSING_HERE none 7.00".formatted(user))
                                .stream())
                        .toList());
        assertThat(summary.path("differences").asInt()).isEqualTo(3 * USERS);
        assertThat(summary.path("sums").toString()).isEqualTo("""
                [{"kind":"TAKEN","currency":"CNY","count":27,"amount":"267.30",\
                "statedCount":27,"statedAmount":"241.11"}]""");
    }

    @Test
    @DisplayName("shows an explained difference again only with another amount.")
    void explained() throws Exception {
        takenOfEach("a");
        given(lines("a", "TAKEN", "9.80"));

        assertThat(explain("a-1", "9.90", "9.70")).hasStatus(HttpStatus.NOT_FOUND);
        for (int user = 0; user < USERS; user++) {
            assertThat(explain("a-" + user, "9.90", "9.80")).hasStatus(HttpStatus.NO_CONTENT);
        }
        assertThat(listed(false, 20)).isEmpty();
        assertThat(listed(true, 20)).hasSize(USERS);

        assertThat(given(lines("a", "TAKEN", "9.80")).path("differences").asInt())
                .isZero();
        assertThat(given(lines("a", "TAKEN", "9.70")).path("differences").asInt())
                .isEqualTo(USERS);
        assertThat(listed(true, 20)).isEmpty();
    }

    @Test
    @DisplayName("finds the trade of a line whatever the day of the trade is, also after the line has gone.")
    void otherDays() throws Exception {
        takenOfEach("late", NOON.plus(Duration.ofDays(2)));
        given(lines("late", "TAKEN", "9.90"));
        assertThat(listed(false, 20)).isEmpty();

        given("");
        assertThat(told(listed(false, 20)))
                .hasSize(USERS)
                .allMatch(each -> each.endsWith(" TAKEN MISSING_THERE 9.90 none"));
    }

    @Test
    @DisplayName("lists refunds until both sides have them.")
    void refunds() throws Exception {
        takenOfEach("a");
        String taken = lines("a", "TAKEN", "9.90");
        given(taken + lines("a", "REFUNDED", "9.90"));
        assertThat(told(listed(false, 20)))
                .hasSize(USERS)
                .allMatch(each -> each.endsWith(" REFUNDED MISSING_HERE none 9.90"));

        refundedToEach("a");
        assertThat(listed(false, 20)).isEmpty();
        given(taken);
        assertThat(told(listed(false, 20)))
                .hasSize(USERS)
                .allMatch(each -> each.endsWith(" REFUNDED MISSING_THERE 9.90 none"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100})
    @DisplayName("lists each difference once, page by page, also below many that agree by now.")
    void pages(int limit) throws Exception {
        takenOfEach("a");
        given("");
        List<String> oldest = told(listed(false, limit));
        assertThat(oldest).hasSize(USERS).doesNotHaveDuplicates();

        String many = IntStream.range(0, 2_500)
                .mapToObj("many-%d,TAKEN,1,CNY,\n"::formatted)
                .collect(joining());
        assertThat(given(many).path("differences").asInt()).isEqualTo(2_500 + USERS);
        assertThat(told(listed(false, 100)))
                .hasSize(2_500 + USERS)
                .doesNotHaveDuplicates()
                .endsWith(oldest.toArray(String[]::new));

        given("");
        assertThat(told(listed(false, limit))).isEqualTo(oldest);
        given(lines("a", "TAKEN", "9.90"));
        assertThat(listed(false, limit)).isEmpty();
    }

    private static IntStream users() {
        return IntStream.range(0, USERS);
    }

    private UserId userId(int user) {
        return new UserId("user-" + user);
    }

    private PaymentId payment(int user, String trade) {
        return PaymentId.of(userId(user), provider + " " + trade);
    }

    private Trade trade(int user, String trade) {
        return new Trade(provider, trade + "-" + user);
    }

    private void takenOfEach(String trade) {
        takenOfEach(trade, NOON);
    }

    /** Takes money of each user, and waits until the trades are in the read models of all logs. */
    private void takenOfEach(String trade, Instant at) {
        Money money = new Money(new BigDecimal("9.90"), "CNY");
        users().forEach(user -> {
            PaymentId payment = payment(user, trade);
            script.happens(
                    payment,
                    new PaymentOrdered(
                            payment, new ActivityId(7), userId(user), new SkuId(1), trade, money, provider, at));
            script.happens(payment, new MoneyTaken(payment, userId(user), trade(user, trade), money, at));
        });
        awaitTrades(trade, "TAKEN");
    }

    private void refundedToEach(String trade) {
        users().forEach(user -> {
            PaymentId payment = payment(user, trade);
            script.happens(
                    payment,
                    new RefundOrdered(payment, userId(user), trade(user, trade), RefundReason.ORDERED_BY_DESK, NOON));
            script.happens(payment, new MoneyRefunded(payment, userId(user), trade(user, trade)));
        });
        awaitTrades(trade, "REFUNDED");
    }

    private void awaitTrades(String trade, String state) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(logs.readAll(() -> sql.sql("""
                                SELECT trade_no FROM view_trade
                                WHERE provider = ? AND starts_with(trade_no, ?) AND state = ?""")
                                .params(provider, trade, state)
                                .query(String.class)
                                .list()))
                        .hasSize(USERS));
    }

    private static String lines(String trade, String kind, String amount) {
        return users().mapToObj(user -> "%s-%d,%s,%s,CNY,\n".formatted(trade, user, kind, amount))
                .collect(joining());
    }

    private JsonNode given(String lines) throws Exception {
        MvcTestResult answer = mvc.put()
                .uri("/api/v1/ops/payments/statements/{provider}/{day}", provider, DAY)
                .contentType(MediaType.valueOf("text/csv"))
                .content("tradeNo,kind,amount,currency,paymentNo\n" + lines)
                .exchange();
        assertThat(answer).hasStatusOk();
        return JsonMapper.shared().readTree(answer.getResponse().getContentAsString());
    }

    private MvcTestResult explain(String tradeNo, String amount, String stated) {
        return mvc.post()
                .uri(DIFFERENCES + "/decision")
                .contentType(MediaType.APPLICATION_JSON)
                .content("""
                        {"provider": "%s", "tradeNo": "%s", "kind": "TAKEN", "amount": "%s", "currency": "CNY",
                         "statedAmount": "%s", "statedCurrency": "CNY",
                         "reason": "Rounded"}""".formatted(provider, tradeNo, amount, stated))
                .exchange();
    }

    /** Returns the differences of this test on all pages. */
    private List<JsonNode> listed(boolean explained, int limit) throws Exception {
        List<JsonNode> listed = new ArrayList<>();
        @Nullable String cursor = null;
        do {
            MvcTestResult answer = mvc.get()
                    .uri("%s?explained=%s&limit=%d%s"
                            .formatted(DIFFERENCES, explained, limit, cursor == null ? "" : "&cursor=" + cursor))
                    .exchange();
            assertThat(answer).hasStatusOk();
            JsonNode page = JsonMapper.shared().readTree(answer.getResponse().getContentAsString());
            assertThat(page.path("items").size()).isLessThanOrEqualTo(limit);
            page.path("items").forEach(listed::add);
            cursor = page.path("next").asString(null);
        } while (cursor != null);
        return listed.stream()
                .filter(each -> each.path("provider").asString().equals(provider))
                .toList();
    }

    private static List<String> told(List<JsonNode> differences) {
        return differences.stream()
                .map(each -> String.join(
                        " ",
                        each.path("tradeNo").asString(),
                        each.path("kind").asString(),
                        each.path("difference").asString(),
                        each.path("amount").asString("none"),
                        each.path("statedAmount").asString("none")))
                .toList();
    }
}
