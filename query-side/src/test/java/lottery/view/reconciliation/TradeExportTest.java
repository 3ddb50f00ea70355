package lottery.view.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UnsupportedEncodingException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import lottery.api.Money;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.api.payment.PaymentEvent.MoneyRefunded;
import lottery.api.payment.PaymentEvent.MoneyTaken;
import lottery.api.payment.PaymentEvent.PaymentDelivered;
import lottery.api.payment.PaymentEvent.PaymentOrdered;
import lottery.api.payment.PaymentId;
import lottery.api.payment.Trade;
import lottery.stage.OnStage;
import lottery.stage.PatientReader;
import lottery.stage.Script;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

@OnStage
@DisplayName("The export of trades")
class TradeExportTest {

    private static final String EXPORT = "/api/v1/ops/payments/trades.csv?";
    private static final String HEADER =
            "takenAt,provider,tradeNo,paymentNo,activityId,userId,amount,currency,state,refundedAt";

    private final MockMvcTester mvc;
    private final Script script;
    private final JdbcClient sql;

    @Autowired
    TradeExportTest(MockMvcTester mvc, Script script, JdbcClient sql) {
        this.mvc = mvc;
        this.script = script;
        this.sql = sql;
    }

    @Test
    @DisplayName(
            "Trades are exported in the order of their time, in the zone that is asked for, formulas made harmless.")
    void exported() throws Exception {
        PaymentId refunded = taken("=ann", "-2", "2031-05-02T15:59:59.500Z");
        PaymentId delivered = taken("bob", "1", "2031-05-01T16:00:00Z");
        taken("bob", "before", "2031-05-01T15:59:59.999Z");
        taken("bob", "after", "2031-05-02T16:00:00Z");
        script.happens(delivered, new PaymentDelivered(delivered, new UserId("bob"), new Trade("exported", "1")));
        script.happens(refunded, new MoneyRefunded(refunded, new UserId("=ann"), new Trade("exported", "-2")));

        List<String> lines = lines("from=2031-05-02&to=2031-05-02&zone=Asia/Shanghai");

        assertThat(lines)
                .hasSize(3)
                .startsWith(
                        HEADER,
                        "2031-05-02T00:00:00+08:00,exported,1,%s,77,bob,9.90,CNY,DELIVERED,"
                                .formatted(delivered.number()));
        assertThat(lines.getLast())
                .matches("2031-05-02T23:59:59\\.5\\+08:00,exported,'-2,%s,77,'=ann,9\\.90,CNY,REFUNDED,2\\S+\\+08:00"
                        .formatted(refunded.number()));
    }

    @Test
    @DisplayName("More trades than are read at once are exported each once, also those of the same moment.")
    void parts() throws Exception {
        List<String> numbers =
                IntStream.range(10_000, 11_050).mapToObj(String::valueOf).toList();
        numbers.forEach(number -> taken("ann", number, "2032-01-01T00:00:00Z"));

        assertThat(lines("from=2032-01-01&to=2032-01-01").stream().skip(1).map(line -> line.split(",", -1)[2]))
                .containsExactlyElementsOf(numbers);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "from=2026-01-01",
                "from=2026-01-02&to=2026-01-01",
                "from=2026-01-01&to=2027-02-05",
                "from=1969-12-31&to=1970-01-01",
                "from=2026-01-01&to=2026-01-01&zone=Mars",
            })
    @DisplayName("An export without days, with too many, or of no zone is refused.")
    void refused(String query) {
        assertThat(read(query)).hasStatus(HttpStatus.BAD_REQUEST);
    }

    @Test
    @DisplayName("An export that fails half-way is left to the server, which cuts the connection.")
    void cutOff() {
        try {
            sql.sql("""
                            INSERT INTO view_trade
                            SELECT 'broken', lpad(i::text, 4, '0'), CASE WHEN i < 1500 THEN :payment ELSE '?' END, 'ann', 1,
                                   'CNY', '2033-01-01T00:00:00Z', 'TAKEN', NULL, 0
                            FROM generate_series(1, 1500) AS i""")
                    .param("payment", PaymentId.of(new UserId("ann"), "broken").text())
                    .update();
            assertThat(mvc.get().uri(EXPORT + "from=2033-01-01&to=2033-01-01").exchange())
                    .failure()
                    .hasMessageContaining("an export ends early");
        } finally {
            sql.sql("DELETE FROM view_trade WHERE provider = 'broken'").update();
        }
    }

    @Test
    @DisplayName("400 days are not too many.")
    void days() throws Exception {
        assertThat(lines("from=2040-01-01&to=2041-02-03")).containsExactly(HEADER);
    }

    private PaymentId taken(String user, String tradeNo, String at) {
        UserId userId = new UserId(user);
        PaymentId payment = PaymentId.of(userId, "export " + tradeNo);
        Money money = new Money(new BigDecimal("9.90"), "CNY");
        Instant takenAt = Instant.parse(at);
        script.happens(
                payment,
                new PaymentOrdered(
                        payment, new ActivityId(77), userId, new SkuId(1), tradeNo, money, "exported", takenAt));
        script.happens(payment, new MoneyTaken(payment, userId, new Trade("exported", tradeNo), money, takenAt));
        return payment;
    }

    private List<String> lines(String query) throws UnsupportedEncodingException {
        long head = sql.sql("SELECT position FROM event_head").query(Long.class).single();
        MvcTestResult answer = read(query + "&after=" + head);
        assertThat(answer).hasStatusOk().hasContentTypeCompatibleWith("text/csv");
        return Stream.of(answer.getResponse().getContentAsString().split("\r\n"))
                .toList();
    }

    private MvcTestResult read(String query) {
        return PatientReader.read(mvc, EXPORT + query);
    }
}
