package lottery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.imageio.ImageIO;
import lottery.Http.Response;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.payment.PaymentCommand.SearchMoney;
import lottery.api.payment.PaymentCommand.SettlePayment;
import lottery.api.payment.PaymentId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcOperations;
import tools.jackson.databind.JsonNode;

/** Payments with the simulated provider. The tests send the command that the saga sends. */
@DisplayName("A payment")
@SpringBootTest(
        classes = {TestLottery.class, PaymentsTest.MovableClock.class},
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = "lottery.payments.providers=simulator")
class PaymentsTest {

    @TestConfiguration
    static class MovableClock {

        private static volatile Duration ahead = Duration.ZERO;

        @Bean
        @Primary
        InstantSource movedClock() {
            return () -> Instant.now().plus(ahead);
        }
    }

    private static final String RULES = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private static final String SKUS = """
            "skus": [{"sku": 1, "total": 2, "month": 2, "day": 2},
              {"sku": 2, "total": 2, "month": 2, "day": 2, "stock": 1, "price": {"amount": "9.9", "currency": "CNY"}},
              {"sku": 3, "total": 2, "month": 2, "day": 2, "perUser": {"max": 1, "period": "EVER"},
               "price": {"amount": 12, "currency": "JPY"}},
              {"sku": 4, "total": 1, "month": 1, "day": 1, "price": {"amount": "0.01", "currency": "CNY"}}]""";

    private final Http http;
    private final int port;
    private final EndpointCommandSender commands;
    private final JdbcOperations database;
    private final TestActivity activity;

    @Autowired
    PaymentsTest(@LocalServerPort int port, EndpointCommandSender commands, JdbcOperations database) {
        this.http = new Http(port);
        this.port = port;
        this.commands = commands;
        this.database = database;
        this.activity = TestActivity.open(http, RULES, SKUS);
    }

    private Response order(String user, int sku, String outBusinessNo) {
        return http.post(
                activity.account(user) + "/payments",
                "{\"sku\": %d, \"provider\": \"simulator\", \"outBusinessNo\": \"%s-%d\"}"
                        .formatted(sku, outBusinessNo, activity.id));
    }

    private String ordered(String user, int sku) {
        Response ordered = order(user, sku, "buy");
        assertThat(ordered.status()).as(ordered.text()).isEqualTo(201);
        return ordered.json().get("paymentId").asString();
    }

    private static String number(String paymentId) {
        return PaymentId.of(paymentId).number();
    }

    private void pay(String paymentId, String wish) {
        Response paid = http.post("/pay/" + paymentId, wish);
        assertThat(paid.status()).as(paid.text()).isEqualTo(200);
    }

    private JsonNode payment(String paymentId) {
        return http.get("/api/v1/payments/" + paymentId).json();
    }

    private String state(String paymentId) {
        return payment(paymentId).get("state").asString();
    }

    private void settle(String paymentId) {
        commands.send(new SettlePayment(PaymentId.of(paymentId)));
    }

    private JsonNode settled(String paymentId, String state) {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            settle(paymentId);
            assertThat(state(paymentId)).isEqualTo(state);
        });
        return payment(paymentId);
    }

    private static List<String> states(JsonNode payment) {
        return payment.get("trades")
                .valueStream()
                .map(trade -> trade.get("state").asString()
                        + Optional.ofNullable(trade.get("reason"))
                                .map(reason -> " " + reason.asString())
                                .orElse(""))
                .sorted()
                .toList();
    }

    private int drawn(String user) {
        Response drawn = activity.draw(user, "{\"count\": 10}", "all-" + activity.id);
        return drawn.status() == 409 ? 0 : drawn.json().get("draws").size();
    }

    /** Returns how many trades of a payment the provider has not given back. */
    private int keptByProvider(String paymentId) {
        return database.queryForList(
                        "SELECT trade_no FROM simulated_trade WHERE number = ? AND refund_no IS NULL",
                        number(paymentId))
                .size();
    }

    @Test
    @DisplayName("A payment waits for its money, shows a QR code, and delivers its chances once.")
    void bought() throws IOException {
        Response ordered = order("ann", 2, "buy");
        assertThat(ordered.status()).as(ordered.text()).isEqualTo(201);
        JsonNode receipt = ordered.json();
        String paymentId = receipt.get("paymentId").asString();
        assertThat(receipt.get("state").asString()).isEqualTo("WAITING");
        assertThat(receipt.get("amount").asString()).isEqualTo("9.90");
        assertThat(receipt.get("code").asString()).isEqualTo("http://localhost:%d/pay/%s", port, paymentId);
        assertThat(order("ann", 2, "buy").header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(code(order("ann", 1, "buy"))).isEqualTo("KEY_REUSED");
        assertThat(code(order("bob", 2, "buy"))).isEqualTo("SKU_SOLD_OUT");
        assertThat(drawn("ann")).isZero();
        assertThat(ImageIO.read(new ByteArrayInputStream(qrCode(paymentId))).getWidth())
                .isGreaterThan(200);

        pay(paymentId, "{}");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(state(paymentId)).isEqualTo("PAID"));
        assertThat(states(settled(paymentId, "DELIVERED"))).containsExactly("DELIVERED");
        settle(paymentId);
        assertThat(drawn("ann")).isEqualTo(2);
        assertThat(payment(paymentId).has("code")).isFalse();
        assertThat(code(http.get("/api/v1/payments/%s/qr.png".formatted(paymentId))))
                .isEqualTo("PAYMENT_STATE");
    }

    private byte[] qrCode(String paymentId) {
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(
                                            "http://localhost:%d/api/v1/payments/%s/qr.png".formatted(port, paymentId)))
                                    .timeout(Duration.ofSeconds(10))
                                    .build(),
                            BodyHandlers.ofByteArray())
                    .body();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String code(Response refused) {
        return refused.json().get("code").asString();
    }

    @Test
    @DisplayName("Fifty messages at once about the same money are taken in once.")
    void toldOften() {
        String paymentId = ordered("ann", 2);
        pay(paymentId, "{\"callbacks\": 50}");
        JsonNode delivered = settled(paymentId, "DELIVERED");
        assertThat(states(delivered)).containsExactly("DELIVERED");
        assertThat(drawn("ann")).isEqualTo(2);
    }

    @Test
    @DisplayName("Money that is paid again is given back, and the first money buys the chances.")
    void paidTwice() {
        String paymentId = ordered("ann", 2);
        pay(paymentId, "{\"times\": 3}");
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            settle(paymentId);
            assertThat(states(payment(paymentId)))
                    .containsExactly("DELIVERED", "REFUNDED PAID_TWICE", "REFUNDED PAID_TWICE");
        });
        assertThat(state(paymentId)).isEqualTo("DELIVERED");
        assertThat(keptByProvider(paymentId)).isOne();
        assertThat(drawn("ann")).isEqualTo(2);
    }

    @Test
    @DisplayName("A wrong amount is given back, and the unit of the SKU is there for others.")
    void wrongAmount() {
        String paymentId = ordered("ann", 2);
        pay(paymentId, "{\"amount\": 9.89}");
        assertThat(states(settled(paymentId, "REFUNDED"))).containsExactly("REFUNDED WRONG_AMOUNT");
        assertThat(keptByProvider(paymentId)).isZero();
        assertThat(drawn("ann")).isZero();
        assertThat(order("bob", 2, "buy").status()).isEqualTo(201);
    }

    @Test
    @DisplayName("Money is found by asking if the provider's message is lost and the provider was silent.")
    void silent() {
        String paymentId = ordered("ann", 2);
        pay(paymentId, "{\"callbacks\": 0, \"silentSeconds\": 1}");
        assertThat(states(settled(paymentId, "DELIVERED"))).containsExactly("DELIVERED");
    }

    @Test
    @DisplayName("The wallet of the simulator is a page with a form, in the language of its user.")
    void wallet() {
        String paymentId = ordered("ann", 2);
        String wallet = "/pay/" + paymentId;
        assertThat(http.get(wallet, "Accept-Language", "zh-CN").text())
                .contains("9.90 CNY")
                .contains("付款");
        assertThat(http.get(wallet, "Accept-Language", "en").text()).contains("<button id=\"pay\">Pay</button>");
        assertThat(postForm(wallet, "times=2&amount=&callbacks=&silentSeconds="))
                .contains("id=\"paid\"");
        assertThat(states(settled(paymentId, "DELIVERED"))).contains("DELIVERED");
        activity.transition("close");
        assertThat(http.get("/pay/" + PaymentId.of(new UserId("ann"), "unknown"))
                        .status())
                .isEqualTo(404);
    }

    private String postForm(String path, String form) {
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                                    .timeout(Duration.ofSeconds(10))
                                    .header("Content-Type", "application/x-www-form-urlencoded")
                                    .POST(HttpRequest.BodyPublishers.ofString(form))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("Money that the provider does not give back is left to the desk.")
    void refundRefused() {
        String paymentId = ordered("ann", 2);
        pay(paymentId, "{\"amount\": 1, \"refusesRefunds\": true}");
        assertThat(states(settled(paymentId, "ON_DESK"))).containsExactly("ON_DESK WRONG_AMOUNT");
        assertThat(keptByProvider(paymentId)).isOne();
    }

    @Test
    @DisplayName("A payment without money expires, and money that comes later is given back.")
    void late() {
        String paymentId = ordered("ann", 2);
        pay(paymentId, "{\"callbacks\": 0, \"afterSeconds\": 2400}");
        try {
            MovableClock.ahead = Duration.ofMinutes(31);
            settled(paymentId, "EXPIRED");
            assertThat(payment(paymentId).has("code")).isFalse();
            assertThat(order("bob", 2, "buy").status()).isEqualTo(201);
            assertThat(http.post("/pay/" + paymentId, "{}").status()).isEqualTo(409);
            Response told = tell(number(paymentId), "late-" + activity.id, "9.90", true);
            assertThat(told.status()).as(told.text()).isEqualTo(200);
            assertThat(states(payment(paymentId))).containsExactly("REFUND_DUE TOO_LATE");
        } finally {
            MovableClock.ahead = Duration.ZERO;
        }
    }

    @Test
    @DisplayName("A search finds money that came after the payment was closed without a message, and it is given back.")
    void searched() {
        String paymentId = ordered("ann", 2);
        pay(paymentId, "{\"callbacks\": 0, \"afterSeconds\": 2400}");
        try {
            MovableClock.ahead = Duration.ofMinutes(31);
            settled(paymentId, "EXPIRED");
            MovableClock.ahead = Duration.ofMinutes(41);
            settle(paymentId);
            assertThat(keptByProvider(paymentId)).isOne();
            assertThat(state(paymentId)).isEqualTo("EXPIRED");
            await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                search(paymentId);
                assertThat(states(payment(paymentId))).containsExactly("REFUND_DUE TOO_LATE");
            });
            settled(paymentId, "REFUNDED");
            assertThat(keptByProvider(paymentId)).isZero();
        } finally {
            MovableClock.ahead = Duration.ZERO;
        }
        PaymentId unknown = PaymentId.of(new UserId("ann"), "unknown");
        assertThat(commands.send(new SearchMoney(unknown)))
                .isEqualTo(Answer.no(new Refused(Refusal.NOT_FOUND, unknown.text())));
    }

    private void search(String paymentId) {
        commands.send(new SearchMoney(PaymentId.of(paymentId)));
    }

    @Test
    @DisplayName("A forged message is refused, and so is one about a payment of another shop.")
    void forged() {
        String paymentId = ordered("ann", 2);
        assertThat(code(tell(number(paymentId), "forged", "9.90", false))).isEqualTo("FORBIDDEN");
        assertThat(state(paymentId)).isEqualTo("WAITING");
        String other = number(PaymentId.of(new UserId("stranger"), "other").text());
        assertThat(code(tell(other, "other", "9.90", true))).isEqualTo("NOT_FOUND");
        assertThat(code(http.post("/api/v1/payment-callbacks/nobody", "{}"))).isEqualTo("NOT_FOUND");
        assertThat(code(http.post("/api/v1/payment-callbacks/simulator", "no json")))
                .isEqualTo("FORBIDDEN");
    }

    /** Sends a message as the simulated provider does, with or without its signature. */
    private Response tell(String number, String tradeNo, String amount, boolean signed) {
        String body = """
                {"number": "%s", "tradeNo": "%s", "amount": "%s", "currency": "CNY", "takenAt": "2026-11-30T00:00:00Z"}""".formatted(number, tradeNo, amount);
        return http.post(
                "/api/v1/payment-callbacks/simulator", body, "Simulator-Signature", signed ? hmac(body) : "00");
    }

    private String hmac(String body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(
                    HexFormat.of()
                            .parseHex(database.queryForList("SELECT key FROM simulated_provider_key", String.class)
                                    .getFirst()),
                    "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(body.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName(
            "A limit per user holds: what is beyond it cannot be ordered, and is given back if it was ordered before.")
    void limited() {
        String first = ordered("ann", 3);
        assertThat(payment(first).get("amount").asString()).isEqualTo("12");
        // A front gives the only one that the user can have.
        assertThat(http.post(
                                activity.account("ann") + "/recharges",
                                "{\"sku\": 3, \"outBusinessNo\": \"gift-%d\"}".formatted(activity.id))
                        .status())
                .isEqualTo(201);
        pay(first, "{}");
        assertThat(states(settled(first, "REFUNDED"))).containsExactly("REFUNDED NOT_DELIVERABLE");
        assertThat(keptByProvider(first)).isZero();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(code(order("ann", 3, "again"))).isEqualTo("SKU_LIMIT"));
        assertThat(drawn("ann")).isEqualTo(2);
    }

    @Test
    @DisplayName("What was paid for in an activity that has ended meanwhile is given back.")
    void activityOver() {
        String paymentId = ordered("ann", 2);
        activity.transition("close");
        pay(paymentId, "{}");
        assertThat(states(settled(paymentId, "REFUNDED"))).containsExactly("REFUNDED NOT_DELIVERABLE");
    }

    @Test
    @DisplayName("The recharge of a payment cannot be completed by hand, and its number cannot be used.")
    void notByHand() {
        String paymentId = ordered("ann", 2);
        String rechargeId = payment(paymentId).get("rechargeId").asString();
        assertThat(code(http.post("/api/v1/recharges/%s/completion".formatted(rechargeId), "")))
                .isEqualTo("FORBIDDEN");
        Response byHand = http.post(
                activity.account("ann") + "/recharges", "{\"sku\": 1, \"outBusinessNo\": \"%s\"}".formatted(paymentId));
        assertThat(code(byHand)).isEqualTo("INVALID");
    }

    @Test
    @DisplayName("A user has at most one payment of a SKU that waits, and orders another one when it ends.")
    void oneWaits() throws Exception {
        List<Response> ordered = TestActivity.inParallel(20, i -> order("ann", 4, "one-of-many-" + i));
        List<Response> waiting =
                ordered.stream().filter(each -> each.status() == 201).toList();
        assertThat(waiting).hasSize(1);
        assertThat(ordered.stream().filter(each -> each.status() != 201))
                .allMatch(each -> code(each).equals("PAYMENT_WAITS"));
        assertThat(order("ann", 2, "other").status()).isEqualTo(201);
        assertThat(order("bob", 4, "buy").status()).isEqualTo(201);
        String paid = waiting.getFirst().json().get("paymentId").asString();
        pay(paid, "{}");
        settled(paid, "DELIVERED");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> assertThat(order("ann", 4, "another").status()).isIn(200, 201));
    }

    @Test
    @DisplayName("When the first money is there, the provider takes no more, and all that it has taken is found.")
    void closed() {
        String paymentId = ordered("ann", 2);
        pay(paymentId, "{\"times\": 3, \"callbacks\": 0}");
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            settle(paymentId);
            assertThat(states(payment(paymentId)))
                    .containsExactly("DELIVERED", "REFUNDED PAID_TWICE", "REFUNDED PAID_TWICE");
            assertThat(code(http.post("/pay/" + paymentId, "{}"))).isEqualTo("PAYMENT_STATE");
        });
        assertThat(keptByProvider(paymentId)).isOne();
    }

    @Test
    @DisplayName("A wallet takes no amount that the currency does not have.")
    void impossibleAmount() {
        String paymentId = ordered("ann", 3);
        assertThat(code(http.post("/pay/" + paymentId, "{\"amount\": 1.5}"))).isEqualTo("INVALID");
        assertThat(code(tell(number(paymentId), "line\\nbreak", "12", true))).isEqualTo("FORBIDDEN");
    }

    @Test
    @DisplayName("Only a SKU with a price is sold, only by a known provider, and only at a price that money has.")
    void prices() {
        assertThat(order("ann", 1, "free").text()).contains("/sku").contains("no price in money");
        Response unknown = http.post(activity.account("ann") + "/payments", """
                {"sku": 2, "provider": "nobody", "outBusinessNo": "1"}""");
        assertThat(unknown.text()).contains("/provider");
        for (String price : List.of(
                "{\"amount\": \"9.999\", \"currency\": \"CNY\"}",
                "{\"amount\": \"1.5\", \"currency\": \"JPY\"}",
                "{\"amount\": \"1\", \"currency\": \"XXX\"}",
                "{\"amount\": \"1\", \"currency\": \"ABC\"}")) {
            Response unfit = http.post("/api/v1/activities", """
                    {"activityId": 799999, "name": "Fair", "beginsAt": "2020-01-01T00:00:00+08:00",
                     "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": 1,
                     "skus": [{"sku": 1, "total": 1, "month": 1, "day": 1, "price": %s}]}""".formatted(price));
            assertThat(unfit.text()).as(price).contains("/skus/0/price");
        }
    }
}
