package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.web.client.ResourceAccessException;
import tools.jackson.databind.JsonNode;

/**
 * Tests payments at two processes, one of which is killed again and again, while the provider misbehaves in all ways
 * and Redis forgets the links. In the end the books of the provider and those of the lottery agree to the cent.
 *
 * <p>{@code -Dtrial.rounds=100} makes so many kills.
 */
@Tag("turn-1")
@DisplayName("Payments at two processes that are killed, with a provider that misbehaves")
class PaymentsIT {

    private static final int ROUNDS = Integer.getInteger("trial.rounds", 2);
    private static final long SEED = Long.getLong("trial.seed", new Random().nextLong());
    private static final int CALLERS = 12;
    private static final int PAYERS = 200;
    private static final int PAID_PER_ROUND_MIN = 30;
    private static final Duration PAID_MAX = Duration.ofMinutes(2);
    private static final Duration SOON = Duration.ofSeconds(60);
    /** One of so many payments makes the desk give money back. */
    private static final int REFUNDED_OF = 20;

    private static final Duration PAUSE = Duration.ofMillis(100);

    private static final String RULES = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private static final String SKUS = """
            "skus": [{"sku": 1, "total": 1, "month": 1, "day": 1, "stock": 100000,
               "entitlement": "course", "price": {"amount": "9.90", "currency": "CNY"}},
              {"sku": 2, "total": 2, "month": 2, "day": 2, "perUser": {"max": 3, "period": "EVER"},
               "price": {"amount": "120", "currency": "JPY"}}]""";

    private static final List<String> WISHES = List.of(
            "{}",
            "{\"callbacks\": 0}",
            "{\"callbacks\": 0, \"silentSeconds\": 10}",
            "{\"callbacks\": 50}",
            "{\"times\": 3}",
            "{\"times\": 2, \"silentSeconds\": 5, \"callbacks\": 3}",
            "{\"amount\": \"1\"}",
            "{\"amount\": \"120\", \"refusesRefunds\": true}",
            "{\"times\": 2, \"refusesRefunds\": true}",
            "{\"afterSeconds\": 5}");

    private final Random random = new Random(SEED);
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger paid = new AtomicInteger();

    @Test
    @DisplayName("All money buys its chances once, is given back, or is on the desk")
    void killed() throws Exception {
        System.out.printf("payments: -Dtrial.rounds=%d -Dtrial.seed=%d%n", ROUNDS, SEED);
        LotteryProcess first = LotteryProcess.open(Servers.environmentOfTrial());
        LotteryProcess second = LotteryProcess.open(Servers.environmentOfTrial());
        try {
            TrialActivity shop = TrialActivity.open(first, RULES, SKUS);
            for (int round = 0; round < ROUNDS; round++) {
                LotteryProcess killed = round % 2 == 0 ? second : first;
                play(shop.at(first), shop.at(second), killed);
                LotteryProcess next = LotteryProcess.open(Servers.environmentOfTrial());
                if (round % 2 == 0) {
                    second = next;
                } else {
                    first = next;
                }
                flushRedis();
            }
            StoredFacts.awaitSound();
            System.out.printf("payments: %d paid%n", paid.get());
            for (String event :
                    List.of("payment.delivered", "payment.refunded", "payment.left-to-desk", "entitlement.revoked")) {
                assertThat(StoredFacts.eventsSince(event, shop)).as(event).isPositive();
            }
            assertThat(StoredFacts.eventsSince("payment.delivered", shop))
                    .as("what was delivered, beside the recharges")
                    .isEqualTo(StoredFacts.events("account.recharged", shop));
        } finally {
            first.close();
            second.close();
        }
    }

    private static void flushRedis() {
        try (RedisClient client = RedisClient.create(Servers.property("lottery.redis.url"));
                StatefulRedisConnection<String, String> redis = client.connect()) {
            redis.sync().flushall();
        }
    }

    private void play(TrialActivity one, TrialActivity other, LotteryProcess killed) throws InterruptedException {
        int before = paid.get();
        AtomicBoolean over = new AtomicBoolean();
        try (ExecutorService users = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CALLERS; i++) {
                Random choices = new Random(random.nextLong());
                TrialActivity shop = i % 2 == 0 ? one : other;
                users.execute(() -> payUntilKilled(shop, choices, over));
            }
            try {
                await().atMost(PAID_MAX)
                        .pollInterval(Duration.ofMillis(10))
                        .until(() -> paid.get() > before + PAID_PER_ROUND_MIN);
                LockSupport.parkNanos(random.nextLong(PAUSE.toNanos() * 10));
            } finally {
                over.set(true);
                killed.kill();
            }
            users.shutdown();
            assertThat(users.awaitTermination(SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    private void payUntilKilled(TrialActivity shop, Random choices, AtomicBoolean over) {
        try {
            while (!over.get()) {
                pay(shop, "payer-" + choices.nextInt(PAYERS), choices);
                if (choices.nextInt(REFUNDED_OF) == 0) {
                    refund(shop.lottery(), choices);
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        } catch (ResourceAccessException away) {
            // Its process was killed.
        }
    }

    /** Lets the desk give money back: for what was delivered, or again where the provider has refused. */
    private static void refund(LotteryProcess lottery, Random choices) {
        String payments = "/api/v1/ops/payments";
        Reply listed = lottery.get(payments + "?state=" + (choices.nextBoolean() ? "DELIVERED" : "ON_DESK"));
        for (JsonNode payment : listed.json().path("items")) {
            JsonNode trade = payment.path("trades").get(0);
            Reply decided =
                    lottery.post(payments + "/" + payment.path("paymentId").asString() + "/decision", """
                    {"decision": "REFUND", "provider": "simulator", "tradeNo": "%s", "reason": "A trial"}""".formatted(
                                    trade.path("tradeNo").asString()));
            if (decided.status() >= 300 && decided.status() != 503) {
                assertThat(decided.code()).isEqualTo("PAYMENT_STATE");
            }
        }
    }

    private void pay(TrialActivity shop, String user, Random choices) {
        Reply ordered = shop.lottery()
                .post(
                        shop.account(user) + "/payments",
                        "{\"sku\": %d, \"provider\": \"simulator\", \"outBusinessNo\": \"%d-%d\"}"
                                .formatted(1 + choices.nextInt(2), shop.id(), numbers.incrementAndGet()));
        if (ordered.status() == 201) {
            String code = ordered.json().path("code").asString();
            String wish = WISHES.get(choices.nextInt(WISHES.size()));
            if (shop.lottery().post(code.substring(code.indexOf("/pay/")), wish).status() == 200) {
                paid.incrementAndGet();
            }
        } else if (ordered.status() != 503) {
            assertThat(ordered.code()).isIn("SKU_LIMIT", "PAYMENT_WAITS");
        }
    }
}
