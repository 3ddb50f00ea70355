package lottery.view.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
import lottery.stage.OnStage;
import lottery.stage.PatientReader;
import lottery.stage.Script;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@OnStage
@DisplayName("The reconciliation of payments")
class ReconciliationTest {

    private static final String HEADER = "tradeNo,kind,amount,currency,paymentNo\n";
    private static final String DIFFERENCES = "/api/v1/ops/payments/differences";
    private static final String NOON = "2026-03-31T12:00:00Z";
    private static final UserId ANN = new UserId("ann");
    private static final AtomicInteger PROVIDERS = new AtomicInteger();

    private final MockMvcTester mvc;
    private final Script script;
    private final JdbcClient sql;

    /** Each test has its own provider. */
    private final String provider = "provider-" + PROVIDERS.incrementAndGet();

    @Autowired
    ReconciliationTest(MockMvcTester mvc, Script script, JdbcClient sql) {
        this.mvc = mvc;
        this.script = script;
        this.sql = sql;
    }

    @Test
    @DisplayName("Each sort of difference is listed, and money that agrees is not.")
    void differences() throws Exception {
        PaymentId unknown = PaymentId.of(ANN, provider + " unknown");
        taken("same", "9.90", NOON);
        taken("cheaper", "9.90", NOON);
        PaymentId forgotten = taken("forgotten", "5.00", NOON);
        taken("elsewhere", "1000.00", "2026-04-02T12:00:00Z");

        JsonNode summary = given("2026-03-31", "UTC", """
                same,TAKEN,9.9,CNY,
                cheaper,TAKEN,9.89,CNY,
                unknown,TAKEN,7,CNY,%s
                dollar,REFUNDED,1,USD,foreign
                """.formatted(unknown.number()));

        assertThat(told(listed(false, 20)))
                .containsExactly(
                        "2026-03-31 unknown TAKEN MISSING_HERE none 7.00 " + unknown,
                        "2026-03-31 forgotten TAKEN MISSING_THERE 5.00 none " + forgotten,
                        "2026-03-31 dollar REFUNDED MISSING_HERE none 1.00 none",
                        "2026-03-31 cheaper TAKEN AMOUNT_DIFFERS 9.90 9.89 " + paymentId("cheaper"));
        assertThat(summary.toString()).isEqualTo("""
                {"provider":"%s","day":"2026-03-31","zone":"UTC","lines":4,"sums":[\
                {"kind":"TAKEN","currency":"CNY","count":3,"amount":"24.80","statedCount":3,"statedAmount":"26.79"},\
                {"kind":"REFUNDED","currency":"USD","count":0,"amount":"0","statedCount":1,"statedAmount":"1.00"}],\
                "differences":4}""".formatted(provider));
    }

    @Test
    @DisplayName("Another currency is a difference, too.")
    void currency() throws Exception {
        taken("a", "9.90", NOON);
        given("2026-03-31", "UTC", "a,TAKEN,9.90,USD,\n");

        assertThat(listed(false, 20))
                .extracting(
                        each -> each.path("difference").asString(),
                        each -> each.path("statedCurrency").asString())
                .containsExactly(tuple("AMOUNT_DIFFERS", "USD"));
    }

    @Test
    @DisplayName("A trade around midnight does not differ when the statement of the next day has it.")
    void midnight() throws Exception {
        taken("late", "9.90", "2026-03-31T23:59:59.999Z");
        given("2026-03-31", "UTC", "");
        assertThat(told(listed(false, 20))).singleElement().asString().contains("late TAKEN MISSING_THERE");

        given("2026-04-01", "UTC", "late,TAKEN,9.90,CNY,\n");
        assertThat(listed(false, 20)).isEmpty();
    }

    @Test
    @DisplayName("Days are those of the zone of the statement.")
    void zone() throws Exception {
        taken("evening", "9.90", "2026-03-31T17:00:00Z");

        given("2026-03-31", "Asia/Shanghai", "");
        assertThat(listed(false, 20)).isEmpty();
        given("2026-04-01", "Asia/Shanghai", "");
        assertThat(listed(false, 20)).hasSize(1);
    }

    @Test
    @DisplayName("A refund differs until both sides have it.")
    void refund() throws Exception {
        PaymentId payment = taken("a", "9.90", NOON);
        given("2026-03-31", "UTC", "a,TAKEN,9.90,CNY,\na,REFUNDED,9.90,CNY,\n");
        assertThat(told(listed(false, 20))).containsExactly("2026-03-31 a REFUNDED MISSING_HERE none 9.90 none");

        refunded(payment, "a");
        assertThat(listed(false, 20)).isEmpty();

        given("2026-03-31", "UTC", "a,TAKEN,9.90,CNY,\na,REFUNDED,9.80,CNY,\n");
        assertThat(told(listed(false, 20)))
                .containsExactly("2026-03-31 a REFUNDED AMOUNT_DIFFERS 9.90 9.80 " + payment);

        given("2026-03-31", "UTC", "a,TAKEN,9.90,CNY,\n");
        assertThat(told(listed(false, 20))).containsExactly("2026-03-31 a REFUNDED MISSING_THERE 9.90 none " + payment);
    }

    @Test
    @DisplayName("An explained difference leaves the list, and comes back with another amount.")
    void explained() throws Exception {
        taken("a", "9.90", NOON);
        given("2026-03-31", "UTC", "a,TAKEN,9.80,CNY,\n");

        assertThat(explain("b", "TAKEN", "9.90", "9.80")).hasStatus(HttpStatus.NOT_FOUND);
        assertThat(explain("a", "REFUNDED", "9.90", "9.80")).hasStatus(HttpStatus.NOT_FOUND);
        assertThat(explain("a", "TAKEN", "9.90", "9.70")).hasStatus(HttpStatus.NOT_FOUND);
        assertThat(explain("a", "TAKEN", "9.90", "9.80")).hasStatus(HttpStatus.NO_CONTENT);

        assertThat(listed(false, 20)).isEmpty();
        assertThat(listed(true, 20))
                .extracting(each -> each.path("reason").asString())
                .containsExactly("Rounded by the provider");

        assertThat(given("2026-03-31", "UTC", "a,TAKEN,9.80,CNY,\n")
                        .path("differences")
                        .asInt())
                .isZero();
        assertThat(given("2026-03-31", "UTC", "a,TAKEN,9.70,CNY,\n")
                        .path("differences")
                        .asInt())
                .isOne();
        assertThat(listed(false, 20)).hasSize(1);
    }

    @Test
    @DisplayName("A file that is refused leaves the statement as it was.")
    void refused() throws Exception {
        given("2026-03-31", "UTC", "a,TAKEN,9.80,CNY,\n");
        assertThat(put("2026-03-31", "UTC", HEADER + "b,TAKEN,9.80,CNY,\n=cmd|' /C calc'!A0,TAKEN,1,CNY,\n"))
                .hasStatus(HttpStatus.BAD_REQUEST);
        assertThat(told(listed(false, 20))).singleElement().asString().contains(" a TAKEN ");
    }

    @ParameterizedTest
    @CsvSource({
        "Alipay,2026-03-31,UTC",
        "alipay,31-03-2026,UTC",
        "alipay,1969-12-31,UTC",
        "alipay,+10000-01-01,UTC",
        "alipay,2026-03-31,Mars",
    })
    @DisplayName("A statement of no provider, day or zone is refused.")
    void malformed(String name, String day, String zone) {
        assertThat(mvc.put()
                        .uri("/api/v1/ops/payments/statements/{name}/{day}?zone={zone}", name, day, zone)
                        .contentType(MediaType.valueOf("text/csv"))
                        .content(HEADER)
                        .exchange())
                .hasStatus(HttpStatus.BAD_REQUEST);
    }

    @Test
    @DisplayName("What both sides know alike cannot be explained, but what no statement has can.")
    void explainable() throws Exception {
        taken("same", "9.90", NOON);
        taken("forgotten", "9.90", NOON);
        given("2026-03-31", "UTC", "same,TAKEN,9.90,CNY,\n");

        assertThat(explain("same", "TAKEN", "9.90", "9.90")).hasStatus(HttpStatus.NOT_FOUND);
        assertThat(explain("forgotten", "TAKEN", "9.90", null)).hasStatus(HttpStatus.NO_CONTENT);
        assertThat(listed(false, 20)).isEmpty();
        given("2026-03-31", "UTC", "same,TAKEN,9.90,CNY,\nforgotten,TAKEN,1,CNY,\n");
        assertThat(told(listed(false, 20))).singleElement().asString().contains("forgotten TAKEN AMOUNT_DIFFERS");
    }

    @Test
    @DisplayName("Parts of the same money on several days are added, and money that moves twice differs.")
    void parts() throws Exception {
        PaymentId payment = taken("a", "9.90", NOON);
        refunded(payment, "a");
        given("2026-03-31", "UTC", "a,TAKEN,9.90,CNY,\na,REFUNDED,3.00,CNY,\n");
        assertThat(told(listed(false, 20)))
                .containsExactly("2026-03-31 a REFUNDED AMOUNT_DIFFERS 9.90 3.00 " + payment);
        given("2026-04-01", "UTC", "a,REFUNDED,6.90,CNY,\n");
        assertThat(listed(false, 20)).isEmpty();

        given("2026-04-02", "UTC", "a,REFUNDED,9.90,CNY,\na,TAKEN,9.90,CNY,\n");
        assertThat(told(listed(false, 20)))
                .containsExactlyInAnyOrder(
                        "2026-03-31 a REFUNDED AMOUNT_DIFFERS 9.90 19.80 " + payment,
                        "2026-04-02 a TAKEN AMOUNT_DIFFERS 9.90 19.80 " + payment);
    }

    @Test
    @DisplayName("A line that is gone from a statement is missing, whatever the day of its trade is.")
    void replaced() throws Exception {
        taken("late", "9.90", "2026-03-31T23:59:59.999Z");
        given("2026-04-01", "UTC", "late,TAKEN,9.90,CNY,\n");
        given("2026-04-01", "UTC", "");
        assertThat(told(listed(false, 20))).singleElement().asString().contains("late TAKEN MISSING_THERE");
        assertThat(statements()).containsExactly("2026-04-01 0", "2026-04-01 1");
    }

    private List<String> statements() throws Exception {
        MvcTestResult answer =
                mvc.get().uri("/api/v1/ops/payments/statements?limit=100").exchange();
        List<String> statements = new ArrayList<>();
        JsonMapper.shared()
                .readTree(answer.getResponse().getContentAsString())
                .path("items")
                .forEach(each -> {
                    if (each.path("provider").asString().equals(provider)) {
                        statements.add(each.path("day").asString() + " "
                                + each.path("lines").asInt());
                    }
                });
        return statements;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    @DisplayName("Page by page, each difference is listed once, the newest first.")
    void pages(int limit) throws Exception {
        given("2026-03-30", "UTC", "a,TAKEN,1,CNY,\nb,TAKEN,1,CNY,\n");
        given("2026-03-31", "UTC", "b,REFUNDED,1,CNY,\nb,TAKEN,1,CNY,\nc,TAKEN,1,CNY,\n");

        assertThat(listed(false, limit))
                .extracting(each -> each.path("day").asString().substring(8) + " "
                        + each.path("tradeNo").asString() + " "
                        + each.path("kind").asString())
                .containsExactly("31 c TAKEN", "31 b REFUNDED", "30 b TAKEN", "30 a TAKEN");
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=101", "cursor=x", "explained=x"})
    @DisplayName("A malformed request for differences is refused.")
    void malformedList(String query) {
        assertThat(mvc.get().uri(DIFFERENCES + "?" + query).exchange()).hasStatus(HttpStatus.BAD_REQUEST);
    }

    private PaymentId taken(String tradeNo, String amount, String at) {
        PaymentId payment = PaymentId.of(paymentId(tradeNo));
        Money money = new Money(new BigDecimal(amount), "CNY");
        Instant takenAt = Instant.parse(at);
        script.happens(
                payment,
                new PaymentOrdered(payment, new ActivityId(7), ANN, new SkuId(1), tradeNo, money, provider, takenAt));
        script.happens(payment, new MoneyTaken(payment, ANN, new Trade(provider, tradeNo), money, takenAt));
        return payment;
    }

    private String paymentId(String tradeNo) {
        return PaymentId.of(ANN, provider + " " + tradeNo).text();
    }

    private void refunded(PaymentId payment, String tradeNo) {
        Trade trade = new Trade(provider, tradeNo);
        script.happens(
                payment, new RefundOrdered(payment, ANN, trade, RefundReason.ORDERED_BY_DESK, Instant.parse(NOON)));
        script.happens(payment, new MoneyRefunded(payment, ANN, trade));
    }

    /** Gives a statement when the read model has seen everything. */
    private JsonNode given(String day, String zone, String lines) throws Exception {
        page(false, 1, "");
        MvcTestResult answer = put(day, zone, HEADER + lines);
        assertThat(answer).hasStatusOk();
        return JsonMapper.shared().readTree(answer.getResponse().getContentAsString());
    }

    private MvcTestResult put(String day, String zone, String file) {
        return mvc.put()
                .uri("/api/v1/ops/payments/statements/{provider}/{day}?zone={zone}", provider, day, zone)
                .contentType(MediaType.valueOf("text/csv"))
                .content(file)
                .exchange();
    }

    private MvcTestResult explain(String tradeNo, String kind, String amount, @Nullable String stated) {
        return mvc.post()
                .uri(DIFFERENCES + "/decision")
                .contentType(MediaType.APPLICATION_JSON)
                .content("""
                        {"provider": "%s", "tradeNo": "%s", "kind": "%s", "amount": "%s", "currency": "CNY",%s
                         "reason": "Rounded by the provider"}""".formatted(
                                provider,
                                tradeNo,
                                kind,
                                amount,
                                stated == null
                                        ? ""
                                        : "\"statedAmount\": \"%s\", \"statedCurrency\": \"CNY\",".formatted(stated)))
                .exchange();
    }

    /** Returns the differences of this test on all pages. */
    private List<JsonNode> listed(boolean explained, int limit) throws Exception {
        List<JsonNode> listed = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = page(explained, limit, cursor);
            assertThat(page.path("items").size()).isLessThanOrEqualTo(limit);
            page.path("items").forEach(listed::add);
            String next = page.path("next").asString("");
            cursor = next.isEmpty() ? "" : "&cursor=" + next;
        } while (!cursor.isEmpty());
        return listed.stream()
                .filter(each -> each.path("provider").asString().equals(provider))
                .toList();
    }

    private JsonNode page(boolean explained, int limit, String cursor) throws Exception {
        long head = sql.sql("SELECT position FROM event_head").query(Long.class).single();
        MvcTestResult answer = PatientReader.read(
                mvc, "%s?explained=%s&limit=%d&after=%d%s".formatted(DIFFERENCES, explained, limit, head, cursor));
        assertThat(answer).hasStatusOk();
        return JsonMapper.shared().readTree(answer.getResponse().getContentAsString());
    }

    private static List<String> told(List<JsonNode> differences) {
        return differences.stream()
                .map(each -> String.join(
                        " ",
                        text(each, "day"),
                        text(each, "tradeNo"),
                        text(each, "kind"),
                        text(each, "difference"),
                        text(each, "amount"),
                        text(each, "statedAmount"),
                        text(each, "paymentId")))
                .toList();
    }

    private static String text(JsonNode difference, String field) {
        return difference.path(field).asString("none");
    }
}
