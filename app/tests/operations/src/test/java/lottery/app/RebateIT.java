package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import lottery.app.LotteryProcess.Reply;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import org.springframework.web.client.ResourceAccessException;
import tools.jackson.databind.JsonNode;

/** {@code -Dtrial.rounds=50} makes so many kills between behaviours and their rebates. */
@Tag("turn-1")
@DisplayName("Rebates for behaviours")
class RebateIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int ROUNDS = Integer.getInteger("trial.rounds", 1);
    private static final int BEHAVIOURS_PER_ROUND = 24;
    private static final String TOPIC = "lottery_behaviours";

    private static final String COFFEE = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private static final String SKUS = """
            "skus": [{"sku": 1, "total": 1, "month": 1, "day": 1}, {"sku": 2, "total": 1, "month": 1, "day": 1, "stock": 1}]""";

    private static final AtomicInteger NUMBERS = new AtomicInteger(890_000);

    private static LotteryProcess here;
    private static LotteryProcess there;
    private static KafkaProducer<String, byte[]> shop;

    private final Patience patience = new Patience();

    @BeforeAll
    static void open() throws Exception {
        // The servers start on this thread: two virtual threads that wait for them could take all carriers.
        Map<String, String> environment = Servers.environmentOfTrial();
        List<LotteryProcess> both = Crowd.calls(2, 2, _ -> LotteryProcess.open(environment));
        here = both.getFirst();
        there = both.getLast();
        shop = new KafkaProducer<>(
                Map.of("bootstrap.servers", Servers.property("lottery.kafka.servers")),
                new StringSerializer(),
                new ByteArraySerializer());
    }

    @AfterAll
    static void close() {
        shop.close(Duration.ofSeconds(10));
        here.close();
        there.close();
    }

    /** Defines a rule for a behaviour of its own, and returns the name of the behaviour. */
    private static String rule(String rebates, String more) {
        int number = NUMBERS.incrementAndGet();
        Reply defined =
                here.ask(HttpMethod.PUT, "/api/v1/rebate-rules/" + number, """
                {"behaviour": "do-%d", "rebates": [%s], %s "state": "OPEN"}""".formatted(number, rebates, more));
        assertThat(defined.status()).as(defined.text()).isEqualTo(202);
        String path = "/api/v1/rebate-rules/" + number;
        String decision =
                "/api/v1/ops/proposals/" + defined.json().path("proposalId").asString() + "/decision";
        assertThat(here.post(decision, "{\"decision\": \"AGREE\"}").status()).isEqualTo(200);
        await().atMost(SOON).until(() -> there.get(path).status() == 200);
        return "do-" + number;
    }

    private static String sku(TrialActivity activity, int sku) {
        return "{\"kind\": \"SKU\", \"activityId\": %d, \"sku\": %d}".formatted(activity.id(), sku);
    }

    private static String someone() {
        return "earner-" + NUMBERS.incrementAndGet();
    }

    private static Reply report(LotteryProcess node, String user, String behaviour, String number) {
        return node.post("/api/v1/users/" + user + "/behaviours", """
                {"behaviour": "%s", "outBusinessNo": "%s"}""".formatted(behaviour, number));
    }

    private static String id(Reply reported) {
        assertThat(reported.status()).as(reported.text()).isIn(200, 201);
        return reported.json().path("behaviourId").asString();
    }

    private static List<String> states(LotteryProcess node, String user, String behaviour) {
        return node.get("/api/v1/users/" + user + "/behaviours/" + behaviour)
                .json()
                .path("rebates")
                .valueStream()
                .map(rebate -> rebate.path("state").asString()
                        + (rebate.has("reason") ? " " + rebate.path("reason").asString() : ""))
                .toList();
    }

    private static void awaitStates(LotteryProcess node, String user, String behaviour, String... states) {
        await(behaviour)
                .atMost(SOON)
                .untilAsserted(() -> assertThat(states(node, user, behaviour)).containsExactly(states));
    }

    private static int entries(String user) {
        return here.get("/api/v1/users/" + user + "/credits")
                .json()
                .path("entries")
                .asInt();
    }

    @Test
    @DisplayName("The same behaviour fifty times at once, at both nodes, is one recharge and one booking")
    void once() throws Exception {
        TrialActivity activity = TrialActivity.open(here, COFFEE, SKUS);
        String behaviour = rule(sku(activity, 1) + ", {\"kind\": \"CREDIT\", \"amount\": \"2.5\"}", "");
        String user = someone();
        List<Reply> replies = Crowd.calls(
                50, 50, i -> patience.ask(() -> report(i % 2 == 0 ? here : there, user, behaviour, "same")));
        assertThat(replies).allMatch(reply -> reply.status() == 201 || reply.status() == 200);
        assertThat(replies).filteredOn(reply -> reply.status() == 201).hasSize(1);
        assertThat(replies.stream().map(Reply::text).collect(Collectors.toSet()))
                .hasSize(1);
        awaitStates(there, user, id(replies.getFirst()), "DONE", "DONE");
        await().atMost(SOON).until(() -> entries(user) == 1);
        assertThat(activity.draw(user, "one").status()).isEqualTo(201);
        assertThat(activity.draw(user, "two").code()).isEqualTo("QUOTA_TOTAL");
    }

    @Test
    @DisplayName("A limited rule pays a user once a day, whatever comes to both nodes at once")
    void limited() throws Exception {
        String behaviour =
                rule("{\"kind\": \"CREDIT\", \"amount\": \"1\"}", "\"limit\": {\"count\": 1, \"period\": \"EVER\"},");
        String user = someone();
        List<Reply> replies = Crowd.calls(
                30, 30, i -> patience.ask(() -> report(i % 2 == 0 ? here : there, user, behaviour, "no-" + i)));
        // A request that is asked again after 503 may have been done.
        assertThat(replies).allMatch(reply -> reply.status() == 201 || reply.status() == 200);
        assertThat(replies)
                .filteredOn(reply -> reply.text().contains("\"ORDERED\""))
                .hasSize(1);
        assertThat(replies)
                .filteredOn(reply -> reply.text().contains("\"RULE_LIMIT\""))
                .hasSize(29);
    }

    @Test
    @DisplayName("A rebate of a SKU that is sold out is refused, and waits on the desk until a person decides")
    void soldOut() {
        TrialActivity activity = TrialActivity.open(here, COFFEE, SKUS);
        String behaviour = rule(sku(activity, 2), "");
        String first = someone();
        awaitStates(here, first, id(report(here, first, behaviour, "x")), "DONE");
        String late = someone();
        String refused = id(report(here, late, behaviour, "x"));
        awaitStates(here, late, refused, "REFUSED SKU_SOLD_OUT");
        await().atMost(SOON).until(() -> waits(refused));
        String desk = "/api/v1/ops/rebates/%s/%s/0/drop".formatted(refused, behaviour.substring("do-".length()));
        String reason = "{\"reason\": \"There are no more\"}";
        Reply proposed = here.post(desk, reason);
        assertThat(proposed.status()).as(proposed.text()).isEqualTo(202);
        assertThat(waits(refused)).isTrue();
        String decision =
                "/api/v1/ops/proposals/" + proposed.json().path("proposalId").asString() + "/decision";
        assertThat(here.post(decision, "{\"decision\": \"AGREE\"}").status()).isEqualTo(200);
        await().atMost(SOON).until(() -> !waits(refused));
    }

    private static boolean waits(String behaviour) {
        return here.get("/api/v1/ops/rebates?limit=100")
                .json()
                .path("rebates")
                .valueStream()
                .anyMatch(rebate -> rebate.path("behaviourId").asString().equals(behaviour));
    }

    @Test
    @DisplayName("A user signs in once a day at both nodes, and the calendar is right after Redis has lost its memory")
    void signIns() throws Exception {
        String user = someone();
        String path = "/api/v1/users/" + user + "/sign-ins";
        String body = "{\"zone\": \"%s\"}".formatted(TrialActivity.MIDDAY_ZONE);
        List<Reply> replies =
                Crowd.calls(50, 50, i -> patience.ask(() -> (i % 2 == 0 ? here : there).post(path, body)));
        assertThat(replies).allMatch(reply -> reply.status() == 201 || reply.status() == 200);
        assertThat(replies.stream().map(Reply::text).collect(Collectors.toSet()))
                .hasSize(1);
        JsonNode signed = replies.getFirst().json();
        assertThat(signed.path("streak").asInt()).isEqualTo(1);
        LocalDate day = LocalDate.parse(signed.path("day").asString());
        String question =
                path + "?zone=" + URLEncoder.encode(TrialActivity.MIDDAY_ZONE, UTF_8) + "&month=" + YearMonth.from(day);
        String calendar =
                "\"month\":\"%s\",\"days\":[%d],\"streak\":1}".formatted(YearMonth.from(day), day.getDayOfMonth());
        for (LotteryProcess node : List.of(here, there)) {
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(node.get(question).text()).endsWith(calendar));
        }
        flushRedis();
        for (LotteryProcess node : List.of(here, there)) {
            assertThat(node.get(question).text()).endsWith(calendar);
        }
        assertThat(here.post("/api/v1/users/" + user + "/behaviours", """
                        {"behaviour": "sign", "outBusinessNo": "sign-in:%s"}""".formatted(day))
                        .status())
                .isEqualTo(400);
    }

    private static void flushRedis() {
        try (RedisClient client = RedisClient.create(Servers.property("lottery.redis.url"));
                StatefulRedisConnection<String, String> redis = client.connect()) {
            redis.sync().flushall();
        }
    }

    private static void send(String key, String content) throws Exception {
        ProducerRecord<String, byte[]> message = new ProducerRecord<>(TOPIC, key, content.getBytes(UTF_8));
        Map.of("ce_specversion", "1.0", "ce_id", "shop-1", "ce_type", "lottery.behaviour.v1", "ce_source", "/shop")
                .forEach((name, value) -> message.headers().add(name, value.getBytes(UTF_8)));
        shop.send(message).get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("A behaviour that comes over Kafka earns the same, once, and a bad message is a dead letter")
    void kafka() throws Exception {
        String behaviour = rule("{\"kind\": \"CREDIT\", \"amount\": \"3\"}", "");
        String user = someone();
        String content = """
                {"userId": "%s", "behaviour": "%s", "outBusinessNo": "paid-1"}""".formatted(user, behaviour);
        send(user, content.replace("paid-1", ""));
        send(user, content);
        send(user, content);
        await().atMost(SOON).until(() -> entries(user) == 1);
        Reply again = report(there, user, behaviour, "paid-1");
        assertThat(again.status()).isEqualTo(200);
        awaitStates(here, user, id(again), "DONE");
        await().atMost(SOON)
                .until(() -> here.get("/api/v1/ops/dead-letters?limit=100&topic=" + TOPIC)
                                .json()
                                .path("deadLetters")
                                .valueStream()
                                .filter(deadLetter ->
                                        deadLetter.path("key").asString().equals(user))
                                .count()
                        == 1);
        assertThat(entries(user)).isEqualTo(1);
    }

    @Test
    @DisplayName("Rebates are given after a crash between a behaviour and its rebate, each once")
    void killed() throws Exception {
        TrialActivity activity = TrialActivity.open(here, COFFEE, """
                "skus": [{"sku": 1, "total": 1, "month": 1, "day": 1}]""");
        String behaviour = rule(sku(activity, 1) + ", {\"kind\": \"CREDIT\", \"amount\": \"1\"}", "");
        long seed = new Random().nextLong();
        System.out.printf("rebates: seed %d%n", seed);
        Random random = new Random(seed);
        there.kill();
        for (int round = 0; round < ROUNDS; round++) {
            Map<String, String> answered = new HashMap<>();
            List<String> users = new ArrayList<>();
            for (int i = 0; i < BEHAVIOURS_PER_ROUND; i++) {
                users.add(someone());
            }
            LotteryProcess dying = here;
            try (ExecutorService killer = Executors.newVirtualThreadPerTaskExecutor()) {
                long pause = random.nextLong(100);
                int last = random.nextInt(BEHAVIOURS_PER_ROUND);
                for (int i = 0; i < BEHAVIOURS_PER_ROUND; i++) {
                    if (i == last) {
                        killer.execute(() -> {
                            sleep(pause);
                            dying.kill();
                        });
                    }
                    try {
                        Reply reply = report(dying, users.get(i), behaviour, "round-" + round);
                        if (reply.status() == 201) {
                            answered.put(users.get(i), reply.text());
                        }
                    } catch (ResourceAccessException killed) {
                        // It may be stored all the same, and is reported again.
                    }
                }
            }
            here = LotteryProcess.open(Servers.environmentOfTrial());
            for (String user : users) {
                String number = "round-" + round;
                Reply again = patience.ask(() -> report(here, user, behaviour, number));
                if (answered.containsKey(user)) {
                    assertThat(again.status()).isEqualTo(200);
                    assertThat(again.text()).isEqualTo(answered.get(user));
                }
                awaitStates(here, user, id(again), "DONE", "DONE");
                await().atMost(SOON).until(() -> entries(user) == 1);
            }
        }
        there = LotteryProcess.open(Servers.environmentOfTrial());
        StoredFacts.awaitSound();
    }

    @Test
    @DisplayName("A process without sagas stores behaviours, and one with sagas gives their rebates later")
    void withoutSagas() throws Exception {
        String behaviour = rule("{\"kind\": \"CREDIT\", \"amount\": \"1\"}", "");
        here.kill();
        there.kill();
        Map<String, String> environment = Servers.environmentOfTrial();
        environment.put("LOTTERY_ROLES", "command,query");
        String user = someone();
        String stored;
        try (LotteryProcess front = LotteryProcess.open(environment)) {
            stored = id(report(front, user, behaviour, "x"));
            assertThat(states(front, user, stored)).containsExactly("ORDERED");
            front.kill();
        }
        List<LotteryProcess> both = Crowd.calls(2, 2, _ -> LotteryProcess.open(Servers.environmentOfTrial()));
        here = both.getFirst();
        there = both.getLast();
        awaitStates(here, user, stored, "DONE");
        await().atMost(SOON).until(() -> entries(user) == 1);
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
