package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import lottery.Http.Response;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import org.axonframework.common.caching.Cache;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A recharge that costs credits")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PayingTest {

    private static final String RULES = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";

    /** The most attempts of a request that is refused as busy. */
    private static final int TURNS_MAX = 200;

    private static final AtomicLong USERS = new AtomicLong();

    private final String user = "buyer-" + USERS.incrementAndGet();
    private final Http http;
    private final JdbcClient database;
    private final Cache accounts;
    private final TestActivity activity;

    private ConfigurableApplicationContext otherNode;
    private Http elsewhere;

    @Autowired
    PayingTest(@LocalServerPort int port, JdbcClient database, @Qualifier("accountCache") Cache accounts) {
        this.http = new Http(port);
        this.database = database;
        this.accounts = accounts;
        this.activity = newActivity("");
    }

    @BeforeAll
    void startAnotherNode() {
        otherNode = new SpringApplicationBuilder(TestLottery.class)
                .properties("server.port=0")
                .run();
        elsewhere = new Http(otherNode.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    @AfterAll
    void stopIt() {
        otherNode.close();
    }

    private TestActivity newActivity(String more) {
        return TestActivity.open(http, RULES, """
                "skus": [{"sku": 1, "total": 1, "month": 1, "day": 1, "priceCredits": "2.50"%s}]""".formatted(more));
    }

    /** @param more further fields of the SKU that has a price */
    private TestActivity withFreeSku(String more) {
        return TestActivity.open(http, RULES, """
                "skus": [{"sku": 1, "total": 1, "month": 1, "day": 1, "priceCredits": "2.50"%s},
                         {"sku": 2, "total": 1, "month": 1, "day": 1}]""".formatted(more));
    }

    private Response free(TestActivity activity, String user, String number) {
        return http.post(
                activity.account(user) + "/recharges",
                "{\"sku\": 2, \"outBusinessNo\": \"%s-%d\"}".formatted(number, activity.id));
    }

    private static String someone() {
        return "buyer-" + USERS.incrementAndGet();
    }

    private void give(Http node, String user, String credits) {
        Response given = node.post(
                "/api/v1/users/" + user + "/credits/entries",
                "{\"amount\": \"%s\", \"businessNo\": \"gift-%s\"}".formatted(credits, credits));
        assertThat(given.status()).as(given.text()).isEqualTo(201);
    }

    private static Response buy(Http node, TestActivity activity, String user, String number) {
        return node.post(
                activity.account(user) + "/recharges",
                "{\"sku\": 1, \"outBusinessNo\": \"%s-%d\"}".formatted(number, activity.id));
    }

    private Response buy(TestActivity activity, String user, String number) {
        return buy(http, activity, user, number);
    }

    /** Recharges on both nodes in turns, and repeats a request that is refused as busy. */
    private Response insist(int i, String user) {
        Response answer = buy(i % 2 == 0 ? http : elsewhere, activity, user, "buy-" + i);
        for (int turn = 1; answer.status() == 503 && turn < TURNS_MAX; turn++) {
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(50)));
            answer = buy(i % 2 == 0 ? http : elsewhere, activity, user, "buy-" + i);
        }
        return answer;
    }

    private static String code(Response refused) {
        return refused.json().path("code").asString();
    }

    private List<@Nullable String> booked(String user) {
        return database.sql("""
                        SELECT convert_from(payload, 'UTF8')::jsonb ->> 'amount' || ' ' || (convert_from(payload, 'UTF8')::jsonb ->> 'balance')
                        FROM event WHERE type = 'credit.booked' AND aggregate_id LIKE 'credit:__:' || ? ORDER BY position""").param(user).query(String.class).list();
    }

    @Test
    @DisplayName("A recharge is paid in the commit that brings its chances, under its own number.")
    void paid() {
        String user = someone();
        give(http, user, "10");
        Response bought = buy(activity, user, "first");
        assertThat(bought.status()).as(bought.text()).isEqualTo(201);
        assertThat(booked(user)).containsExactly("10 10", "-2.5 7.5");
        assertThat(activity.draw(user, "draw").status()).isEqualTo(201);
        String recharge = bought.json().get("rechargeId").asString();
        List<@Nullable String> transactions = database.sql("""
                        SELECT xmin::text FROM event
                        WHERE convert_from(payload, 'UTF8')::jsonb ->> 'businessNo' = :recharge
                           OR (convert_from(payload, 'UTF8')::jsonb ->> 'rechargeId' = :recharge)""")
                .param("recharge", recharge)
                .query(String.class)
                .list();
        assertThat(transactions).hasSize(3);
        assertThat(transactions.stream().distinct()).hasSize(1);
    }

    @Test
    @DisplayName("A recharge is paid once, however often and at whichever node it is requested.")
    void once() throws Exception {
        String user = someone();
        give(http, user, "10");
        List<Response> answers = TestActivity.inParallel(20, i -> {
            Response answer = buy(i % 2 == 0 ? http : elsewhere, activity, user, "same");
            for (int turn = 1; answer.status() == 503 && turn < TURNS_MAX; turn++) {
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(50)));
                answer = buy(http, activity, user, "same");
            }
            return answer;
        });
        assertThat(answers).extracting(Response::status).containsOnly(200, 201);
        assertThat(answers.stream().map(Response::text).distinct()).hasSize(1);
        assertThat(booked(user)).containsExactly("10 10", "-2.5 7.5");
    }

    @Test
    @DisplayName("A user gets as many recharges as the credits pay for, at two nodes, and never goes below zero.")
    void neverBelowZero() throws Exception {
        String user = someone();
        give(http, user, "8");
        List<Response> answers = TestActivity.inParallel(20, i -> insist(i, user));
        assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(3);
        assertThat(answers)
                .filteredOn(answer -> answer.status() != 201)
                .extracting(PayingTest::code)
                .containsOnly("CREDITS_SHORT");
        assertThat(booked(user)).containsExactly("8 8", "-2.5 5.5", "-2.5 3", "-2.5 0.5");
    }

    @Test
    @DisplayName("A recharge without credits is refused and stores nothing, and succeeds later under the same number.")
    void short_() {
        String user = someone();
        assertThat(code(buy(activity, user, "wish"))).isEqualTo("CREDITS_SHORT");
        assertThat(booked(user)).isEmpty();
        give(http, user, "2.5");
        assertThat(buy(activity, user, "wish").status()).isEqualTo(201);
        assertThat(code(buy(activity, user, "more"))).isEqualTo("CREDITS_SHORT");
        assertThat(booked(user)).containsExactly("2.5 2.5", "-2.5 0");
        assertThat(accounts.containsKey(new AccountId(new ActivityId(activity.id), new UserId(user)).text()))
                .as("known without being read again")
                .isTrue();
    }

    @Test
    @DisplayName("A recharge is paid with credits that another node has just booked.")
    void fromElsewhere() {
        String user = someone();
        give(http, user, "1");
        give(elsewhere, user, "3");
        Response bought = buy(activity, user, "wish");
        assertThat(bought.status()).as(bought.text()).isEqualTo(201);
        assertThat(booked(user)).containsExactly("1 1", "3 4", "-2.5 1.5");
    }

    @Test
    @DisplayName("A SKU that is sold out costs nothing, and a user who cannot pay takes no unit.")
    void soldOut() {
        TestActivity last = withFreeSku(", \"stock\": 1");
        String poor = someone();
        String first = someone();
        String second = someone();
        give(http, first, "5");
        give(http, second, "5");
        assertThat(code(buy(last, poor, "poor"))).isEqualTo("CREDITS_SHORT");
        // With an account, the refusal is an answer and not an exception that rolls everything back.
        assertThat(free(last, second, "free").status()).isEqualTo(201);
        assertThat(buy(last, first, "first").status()).isEqualTo(201);
        assertThat(code(buy(last, second, "second"))).isEqualTo("SKU_SOLD_OUT");
        assertThat(code(buy(last, first, "again"))).isEqualTo("SKU_SOLD_OUT");
        assertThat(booked(first)).containsExactly("5 5", "-2.5 2.5");
        assertThat(booked(second)).containsExactly("5 5");
        assertThat(buy(activity, second, "elsewhere").status()).isEqualTo(201);
        assertThat(buy(activity, second, "and again").status()).isEqualTo(201);
        assertThat(booked(second)).containsExactly("5 5", "-2.5 2.5", "-2.5 0");
    }

    @Test
    @DisplayName("A recharge under a number that another one has used costs nothing.")
    void usedNumber() {
        TestActivity two = withFreeSku("");
        String user = someone();
        give(http, user, "5");
        Response free = free(two, user, "used");
        assertThat(free.status()).as(free.text()).isEqualTo(201);
        assertThat(code(buy(two, user, "used"))).isEqualTo("KEY_REUSED");
        assertThat(booked(user)).containsExactly("5 5");
        assertThat(buy(two, user, "first").status()).isEqualTo(201);
        assertThat(buy(two, user, "second").status()).isEqualTo(201);
        assertThat(code(buy(two, user, "third"))).isEqualTo("CREDITS_SHORT");
        assertThat(booked(user)).containsExactly("5 5", "-2.5 2.5", "-2.5 0");
    }

    @Test
    @DisplayName("A recharge that costs credits cannot be paid later.")
    void notLater() {
        Response later = activity.recharge(user, "later", ", \"payLater\": true");
        assertThat(later.status()).isEqualTo(400);
        assertThat(later.text()).contains("\"/payLater\"", "paid for at once");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "0.0000001", "1000000000000", "1e2147483647", "\"much\""})
    @DisplayName("The price of a SKU has to be a payable amount.")
    void price(String price) {
        Response refused = http.post("/api/v1/activities", """
                {"activityId": %d, "name": "Fair", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d,
                 "skus": [{"sku": 1, "total": 1, "month": 1, "day": 1, "priceCredits": %s}]}
                """.formatted(activity.id + 1_000_000, activity.id, price));
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
    }

    @Test
    @DisplayName("A booking by hand cannot use the number of a recharge.")
    void reserved() {
        Response refused = http.post("/api/v1/users/" + user + "/credits/entries", """
                {"amount": "1", "businessNo": "recharge:00-1"}""");
        assertThat(refused.status()).isEqualTo(400);
    }
}
