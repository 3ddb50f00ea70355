package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
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
import org.springframework.web.client.ResourceAccessException;
import tools.jackson.databind.JsonNode;

/** Tests two processes that accept requests into one queue, and draw them from there. */
@Tag("turn-3")
@DisplayName("Draws that wait in the queue")
class QueuedDrawsIT {

    private static final Duration SOON = Duration.ofSeconds(90);
    /** The id of an order begins with its shard. */
    private static final int SHARD_DIGITS = 16;

    private static final int CALLERS = 20;
    private static final int DRAWS_OF_EACH = Integer.getInteger("trial.draws", 60);

    /** A caller without chances is refused, which has to be as durable as a draw. */
    private static final int POOR_CALLERS = 2;

    private static final String DRAW_REQUESTS = "lottery_draw_requests";

    private static final String COFFEE = """
            "mode": "SINGLE", "awards": [{"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 10000, "month": 10000, "day": 10000}]""";

    private static LotteryProcess here;
    private static LotteryProcess there;

    @BeforeAll
    static void open() throws Exception {
        Map<String, String> environment = Servers.environmentOfTrial();
        List<LotteryProcess> both = Crowd.calls(2, 2, _ -> LotteryProcess.open(environment));
        here = both.getFirst();
        there = both.getLast();
    }

    @AfterAll
    static void close() {
        here.close();
        there.close();
    }

    private static String order(Reply accepted) {
        assertThat(accepted.status()).as(accepted.text()).isIn(200, 202);
        return accepted.json().path("orderId").asString();
    }

    /** Reads an order. A process that does not know at the moment what was accepted answers 503. */
    private static Reply read(LotteryProcess node, String order) {
        return new Patience().ask(() -> node.get("/api/v1/raffle-orders/" + order));
    }

    private static String state(LotteryProcess node, String order) {
        return read(node, order).json().path("state").asString();
    }

    /** Returns orders as the logs have them, one log after the other. Each log keeps the order. */
    private static List<String> inLogs(List<String> orders) {
        return orders.stream()
                .sorted(Comparator.comparingInt(
                        order -> Integer.parseInt(order, order.indexOf(':') + 1, order.indexOf('-'), SHARD_DIGITS)
                                % Servers.LOGS))
                .toList();
    }

    @Test
    @DisplayName("They are drawn in the order in which either process has accepted them, and both show how they stand")
    void inOrder() throws Exception {
        TrialActivity activity = TrialActivity.open(here, COFFEE, CHANCES);
        TrialActivity other = activity.at(there);
        await().atMost(SOON).until(() -> there.get(activity.path("")).status() == 200);
        for (int i = 0; i < CALLERS; i++) {
            activity.recharge("user-" + i);
        }
        for (TrialActivity each : List.of(activity, other)) {
            // A process reaches the queue soon after it is ready.
            await().atMost(SOON).until(() -> each.queue("nobody", "first").status() != 503);
        }
        List<String> accepted = new ArrayList<>();
        for (int i = 0; i < 3 * CALLERS; i++) {
            TrialActivity side = i % 2 == 0 ? activity : other;
            String user = "user-" + i % CALLERS;
            String key = "key-" + i;
            Reply reply = new Patience().ask(() -> side.queue(user, key));
            assertThat(reply.status()).as(reply.text()).isEqualTo(202);
            assertThat(reply.json().path("position").asInt()).isPositive();
            String order = order(reply);
            accepted.add(order);
            // The process that has not accepted it knows it all the same.
            LotteryProcess another = i % 2 == 0 ? there : here;
            await().atMost(SOON).until(() -> List.of("QUEUED", "USED").contains(state(another, order)));
        }
        assertThat(read(here, accepted.getFirst().replaceFirst(".{6}$", "abcdef"))
                        .status())
                .as("an order that does not exist")
                .isEqualTo(404);
        await().atMost(SOON).until(() -> StoredFacts.draws(activity) == accepted.size());
        assertThat(StoredFacts.orders(activity, "raffle.drawn")).isEqualTo(inLogs(accepted));
        for (LotteryProcess node : List.of(here, there)) {
            await().atMost(SOON).until(() -> state(node, accepted.getLast()).equals("USED"));
        }
        Reply stream = here.get("/api/v1/raffle-orders/" + accepted.getLast() + "/stream");
        assertThat(stream.text()).contains("event: used\n", "Coffee");
        Reply nobody = new Patience().ask(() -> activity.queue("nobody", "key"));
        for (LotteryProcess node : List.of(here, there)) {
            await().atMost(SOON).until(() -> state(node, order(nobody)).equals("REFUSED"));
        }
        assertThat(read(here, order(nobody)).json().path("refusal").path("code").asString())
                .isEqualTo("QUOTA_TOTAL");
    }

    @Test
    @DisplayName("A process is killed in the middle: all are drawn or refused, none twice, each user's in order")
    void killed() throws Exception {
        TrialActivity activity = TrialActivity.open(here, COFFEE, CHANCES);
        await().atMost(SOON).until(() -> there.get(activity.path("")).status() == 200);
        for (int i = POOR_CALLERS; i < CALLERS; i++) {
            activity.recharge("user-" + i);
        }
        Map<Integer, List<String>> accepted = new ConcurrentHashMap<>();
        AtomicInteger answers = new AtomicInteger();
        LotteryProcess dying = there;
        Crowd.calls(CALLERS + 1, CALLERS + 1, caller -> {
            if (caller == CALLERS) {
                await().atMost(SOON).until(() -> answers.get() > CALLERS * DRAWS_OF_EACH / 3);
                dying.kill();
                return 0;
            }
            List<String> mine = new ArrayList<>();
            for (int i = 0; i < DRAWS_OF_EACH; i++) {
                // The answer about a caller without chances may be lost, and the next one be its refusal.
                LotteryProcess first = caller < POOR_CALLERS ? here : dying;
                mine.add(insist(activity, first, "user-" + caller, "key-" + i));
                answers.incrementAndGet();
            }
            accepted.put(caller, mine);
            return mine.size();
        });
        there = LotteryProcess.open(Servers.environmentOfTrial());
        int poor = POOR_CALLERS * DRAWS_OF_EACH;
        int rich = (CALLERS - POOR_CALLERS) * DRAWS_OF_EACH;
        await().atMost(SOON)
                .until(() -> StoredFacts.draws(activity) == rich
                        && StoredFacts.events("raffle.order-refused", activity) == poor);
        List<String> drawn = StoredFacts.orders(activity, "raffle.drawn");
        List<String> refused = StoredFacts.orders(activity, "raffle.order-refused");
        accepted.forEach((caller, mine) -> {
            Set<String> own = new HashSet<>(mine);
            assertThat(own).hasSize(DRAWS_OF_EACH);
            assertThat((caller < POOR_CALLERS ? refused : drawn).stream().filter(own::contains))
                    .containsExactlyElementsOf(mine);
        });
        assertThat(drawn).doesNotHaveDuplicates();
        assertThat(refused).doesNotHaveDuplicates();
        String last = accepted.getOrDefault(0, List.of()).getLast();
        await().atMost(SOON).until(() -> state(there, last).equals("REFUSED"));
        StoredFacts.awaitSound();
    }

    @Test
    @DisplayName("Messages that nobody can read become dead letters, and the requests around them are drawn in order")
    void unreadable() throws Exception {
        TrialActivity activity = TrialActivity.open(here, COFFEE, CHANCES);
        activity.recharge("ann");
        String key = Long.toString(activity.id());
        String request = """
                {"orderId": "%s", "activityId": %d, "userId": "ann", "count": 1, "queuedAt": "2026-01-01T00:00:00Z"}""";
        List<String> accepted = new ArrayList<>();
        try (KafkaProducer<String, byte[]> stranger = stranger()) {
            for (String content : List.of("no JSON", "{}", request.formatted("no id", activity.id()), request)) {
                String order = order(new Patience().ask(() -> activity.queue("ann", "before " + content.hashCode())));
                accepted.add(order);
                send(stranger, DRAW_REQUESTS, key, content.formatted(order, activity.id() + 1));
            }
        }
        accepted.add(order(new Patience().ask(() -> activity.queue("ann", "after"))));
        await().atMost(SOON).until(() -> StoredFacts.draws(activity) == accepted.size());
        assertThat(StoredFacts.orders(activity, "raffle.drawn")).isEqualTo(accepted);
        await().atMost(SOON).until(() -> deadLetters(key).size() == accepted.size() - 1);
        await().atMost(SOON).until(() -> state(there, accepted.getLast()).equals("USED"));
    }

    private static KafkaProducer<String, byte[]> stranger() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", Servers.property("lottery.kafka.servers")),
                new StringSerializer(),
                new ByteArraySerializer());
    }

    private static void send(KafkaProducer<String, byte[]> stranger, String topic, String key, String content)
            throws Exception {
        ProducerRecord<String, byte[]> message = new ProducerRecord<>(topic, key, content.getBytes(UTF_8));
        Map.of("ce_specversion", "1.0", "ce_id", "1", "ce_type", "lottery.draw.queued.v1", "ce_source", "/me")
                .forEach((name, value) -> message.headers().add(name, value.getBytes(UTF_8)));
        stranger.send(message).get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    private static List<JsonNode> deadLetters(String key) {
        return here.get("/api/v1/ops/dead-letters?limit=100&topic=" + DRAW_REQUESTS)
                .json()
                .path("deadLetters")
                .valueStream()
                .filter(letter -> letter.path("key").asString().equals(key))
                .toList();
    }

    @Test
    @DisplayName("A request that could not be drawn, and that two persons give up, is refused for its user")
    void givenUp() throws Exception {
        TrialActivity activity = TrialActivity.open(here, COFFEE, CHANCES);
        activity.recharge("ann");
        String drawn = order(new Patience().ask(() -> activity.queue("ann", "drawn")));
        String lost = drawn.replaceFirst(".{6}$", "abcdef");
        String key = Long.toString(activity.id());
        try (KafkaProducer<String, byte[]> stranger = stranger()) {
            for (String order : List.of(lost, drawn)) {
                send(stranger, DRAW_REQUESTS + "_dlt", key, """
                        {"orderId": "%s", "activityId": %s, "userId": "ann", "count": 1,
                         "queuedAt": "2026-01-01T00:00:00Z"}""".formatted(order, key));
            }
        }
        await().atMost(SOON).until(() -> deadLetters(key).size() == 2);
        await().atMost(SOON).until(() -> state(there, drawn).equals("USED"));
        for (JsonNode letter : deadLetters(key)) {
            String drop = "/api/v1/ops/dead-letters/" + letter.path("id").asLong() + "/drop";
            Reply proposed = here.post(drop, "{\"reason\": \"It can never be drawn\"}");
            assertThat(proposed.status()).as(proposed.text()).isEqualTo(202);
            String decision = "/api/v1/ops/proposals/"
                    + proposed.json().path("proposalId").asString() + "/decision";
            assertThat(here.post(decision, "{\"decision\": \"AGREE\"}").status())
                    .isEqualTo(200);
        }
        Reply refused = read(there, lost);
        assertThat(refused.json().path("state").asString()).as(refused.text()).isEqualTo("REFUSED");
        assertThat(refused.json().path("refusal").path("code").asString()).isEqualTo("REQUEST_DROPPED");
        assertThat(state(there, drawn)).isEqualTo("USED");
        assertThat(deadLetters(key)).isEmpty();
    }

    /** Sends a request until it is accepted, from one process to the other, as a client behind a balancer does. */
    private static String insist(TrialActivity activity, LotteryProcess first, String user, String key)
            throws IOException {
        for (int attempt = 0; attempt < 200; attempt++) {
            try {
                Reply reply = (attempt % 2 == 0 ? activity.at(first) : activity).queue(user, key);
                if (reply.status() == 202 || reply.status() == 200) {
                    return order(reply);
                }
                assertThat(reply.status()).as(reply.text()).isEqualTo(503);
            } catch (ResourceAccessException killed) {
                // Nobody knows whether it was accepted: the same key says so.
            }
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
        throw new IOException("busy for ever");
    }
}
