package lottery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import lottery.Http.Response;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardRecordId;
import lottery.api.payment.PaymentCommand.OrderRefund;
import lottery.api.payment.PaymentCommand.SettlePayment;
import lottery.api.payment.PaymentId;
import lottery.api.payment.Trade;
import lottery.store.command.CommandSender;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

@DisplayName("An entitlement to content")
@SpringBootTest(
        classes = TestLottery.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = "lottery.payments.providers=simulator")
class EntitlementsTest {

    private static final String RULES = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Course", "type": "ENTITLEMENT", "rate": "1", "sort": 1,
               "config": {"contentId": "course"}}]""";

    private static final String SKUS = """
            "skus": [{"sku": 1, "total": 2, "month": 2, "day": 2, "entitlement": "course"},
              {"sku": 2, "entitlement": "course", "price": {"amount": "9.9", "currency": "CNY"}},
              {"sku": 3, "total": 2, "month": 2, "day": 2}]""";

    private static final int RECHARGES = 8;

    private final Http http;
    private final CommandSender commands;
    private final JdbcClient database;
    private final TestActivity activity;
    private final String ann;

    @Autowired
    EntitlementsTest(@LocalServerPort int port, CommandSender commands, JdbcClient database) {
        this.http = new Http(port);
        this.commands = commands;
        this.database = database;
        this.activity = TestActivity.open(http, RULES, SKUS);
        this.ann = "ann-" + activity.id;
    }

    private List<@Nullable String> news() {
        return database.sql("""
                        SELECT substring(type FROM 13) || ' ' || (payload ->> 'contentId') || ' by '
                               || split_part(payload ->> 'source', ':', 1) || ' '
                               || coalesce(payload ->> 'first', payload ->> 'last')
                        FROM event_readable WHERE type LIKE 'entitlement.%' AND payload ->> 'userId' = ?
                        ORDER BY position""").param(ann).query(String.class).list();
    }

    private JsonNode bought(String outBusinessNo) {
        return bought(outBusinessNo, "{}");
    }

    private JsonNode bought(String outBusinessNo, String wish) {
        String paymentId = http.post(
                        activity.account(ann) + "/payments",
                        "{\"sku\": 2, \"provider\": \"simulator\", \"outBusinessNo\": \"%s\"}".formatted(outBusinessNo))
                .json()
                .get("paymentId")
                .asString();
        assertThat(http.post("/pay/" + paymentId, wish).status()).isEqualTo(200);
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            send(new SettlePayment(PaymentId.of(paymentId)));
            assertThat(payment(paymentId).get("state").asString()).isEqualTo("DELIVERED");
        });
        return payment(paymentId);
    }

    private <R> void send(Command<R> command) {
        Answer<R> answer = commands.send(command);
        answer.orThrow();
    }

    private JsonNode payment(String paymentId) {
        return http.get("/api/v1/payments/" + paymentId).json();
    }

    private void refund(JsonNode payment) {
        JsonNode trade = payment.get("trades").get(0);
        send(new OrderRefund(
                PaymentId.of(payment.get("paymentId").asString()),
                new Trade(trade.get("provider").asString(), trade.get("tradeNo").asString())));
    }

    @Test
    @DisplayName("A recharge grants its content with its chances, and a repeated one grants nothing.")
    void recharged() {
        Response recharged = activity.recharge(ann, "one", "");
        assertThat(recharged.status()).as(recharged.text()).isEqualTo(201);
        assertThat(recharged.json().get("entitlement").asString()).isEqualTo("course");
        assertThat(activity.recharge(ann, "one", "").status()).isEqualTo(200);
        assertThat(news()).containsExactly("granted course by recharge true");
    }

    @Test
    @DisplayName("A recharge that is paid later grants its content when it is completed, once.")
    void paidLater() {
        JsonNode ordered =
                activity.recharge(ann, "later", ", \"payLater\": true").json();
        assertThat(news()).isEmpty();
        String completion = "/api/v1/recharges/" + ordered.get("rechargeId").asString() + "/completion";
        assertThat(http.post(completion, "").status()).isEqualTo(200);
        assertThat(http.post(completion, "").status()).isEqualTo(200);
        assertThat(news()).containsExactly("granted course by recharge true");
    }

    @Test
    @DisplayName("Content without chances is bought for money, and its refund takes it back, once.")
    void refunded() {
        JsonNode payment = bought("content");
        assertThat(activity.draw(ann, "none").json().get("code").asString()).isEqualTo("QUOTA_TOTAL");
        refund(payment);
        assertThat(news()).containsExactly("granted course by recharge true", "revoked course by recharge true");
        assertThat(bought("again").get("state").asString()).isEqualTo("DELIVERED");
        assertThat(news()).hasSize(3).last().isEqualTo("granted course by recharge true");
    }

    @Test
    @DisplayName("The user keeps content that is refunded, but was also given by another recharge.")
    void kept() {
        JsonNode payment = bought("content");
        activity.recharge(ann, "other", "");
        refund(payment);
        assertThat(news())
                .containsExactly(
                        "granted course by recharge true",
                        "granted course by recharge false",
                        "revoked course by recharge false");
    }

    @Test
    @DisplayName("A refund that the provider refuses, and that is ordered again, takes the content back once.")
    void refundedAgain() {
        JsonNode payment = bought("content", "{\"refusesRefunds\": true}");
        String paymentId = payment.get("paymentId").asString();
        for (int i = 0; i < 2; i++) {
            refund(payment);
            await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                send(new SettlePayment(PaymentId.of(paymentId)));
                assertThat(payment(paymentId).get("state").asString()).isEqualTo("ON_DESK");
            });
        }
        assertThat(news()).containsExactly("granted course by recharge true", "revoked course by recharge true");
    }

    @Test
    @DisplayName("Of recharges and a refund at the same time, each counts once.")
    void atOnce() {
        JsonNode payment = bought("content");
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < RECHARGES; i++) {
                String number = "at-once-" + i;
                callers.execute(() -> TestActivity.insist(() -> activity.recharge(ann, number, "")));
            }
            refund(payment);
        }
        List<@Nullable String> news = news();
        assertThat(news).hasSize(RECHARGES + 2).first().isEqualTo("granted course by recharge true");
        int sources = 0;
        for (String each : news) {
            boolean isGrant = String.valueOf(each).startsWith("granted");
            sources += isGrant ? 1 : -1;
            assertThat(String.valueOf(each)).endsWith(Boolean.toString(sources == (isGrant ? 1 : 0)));
        }
        assertThat(sources).isEqualTo(RECHARGES);
    }

    @Test
    @DisplayName("A won entitlement is granted with its award, once.")
    void won() {
        activity.recharge(ann, "chances", "");
        JsonNode draw = activity.draw(ann, "draw").json();
        AwardRecordId recordId = AwardRecordId.of(draw.get("awardRecordId").asString());
        send(new GrantAward(recordId, "entitlement:1"));
        send(new GrantAward(recordId, "entitlement:2"));
        assertThat(news()).containsExactly("granted course by recharge true", "granted course by award false");
    }

    @Test
    @DisplayName("A SKU with neither chances nor content is refused, and so is one with half a bundle.")
    void unfit() {
        for (String sku : List.of(
                "{\"sku\": 1}",
                "{\"sku\": 1, \"total\": 1, \"entitlement\": \"course\"}",
                "{\"sku\": 1, \"total\": 1, \"month\": 1}",
                "{\"sku\": 1, \"month\": 1, \"day\": 1, \"entitlement\": \"course\"}")) {
            Response refused = defined(sku);
            assertThat(refused.status()).as(sku).isEqualTo(400);
            assertThat(refused.text())
                    .contains("without all three it needs an entitlement")
                    .contains("/skus/0/total");
        }
        assertThat(defined("{\"sku\": 1, \"entitlement\": \"no blanks\"}").status())
                .isEqualTo(400);
    }

    private Response defined(String sku) {
        return http.post("/api/v1/activities", """
                {"activityId": %d, "name": "Fair", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d, "skus": [%s]}
                """.formatted(activity.id + 1_000_000, activity.id, sku));
    }
}
