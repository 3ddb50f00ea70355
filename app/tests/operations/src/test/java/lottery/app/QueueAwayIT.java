package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import lottery.app.LotteryProcess.Reply;
import lottery.embedded.EmbeddedServerKind;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("turn-3")
@DisplayName("A queue that is alone")
class QueueAwayIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    /** The time within which each caller has an answer, on a slow machine too. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(20);

    /** The usual producer gives up later. Requests use a producer of their own, which waits for 2.5 s at most. */
    private static final Duration USUAL_PRODUCER_MIN = Duration.ofSeconds(5);

    private static final int REQUESTS = 12;
    private static final int ROUNDS_MAX = 3;

    private static final int CALLERS = 20;
    private static final int DRAWS_OF_EACH = Integer.getInteger("trial.draws", 50);
    private static final int WAITING_MAX = CALLERS * DRAWS_OF_EACH;

    private static final String COFFEE = """
            "mode": "SINGLE", "awards": [{"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 10000, "month": 10000, "day": 10000}]""";

    private final Path data;
    private EmbeddedServers broker;

    QueueAwayIT() throws IOException {
        data = Files.createTempDirectory(LotteryProcess.FOLDER, "queue-broker-");
        broker = broker(0);
    }

    private EmbeddedServers broker(int port) {
        return EmbeddedServers.start(new EmbeddedSettings(
                data, Set.of(EmbeddedServerKind.KAFKA), Map.of(EmbeddedServerKind.KAFKA, port), true));
    }

    private String servers() {
        return broker.properties().getOrDefault("lottery.kafka.servers", "");
    }

    private Map<String, String> environment() throws IOException {
        String servers = servers();
        Map<String, String> environment = new LinkedHashMap<>(Servers.environmentOfTrial());
        environment.replaceAll((_, value) -> value.replace(Servers.property("lottery.kafka.servers"), servers));
        return environment;
    }

    /** Returns the environment of a process that accepts requests and draws none of them. */
    private Map<String, String> accepting() throws IOException {
        Map<String, String> environment = environment();
        environment.put("LOTTERY_ROLES", "command,query");
        environment.put("LOTTERY_QUEUE_WAITING_MAX", Integer.toString(WAITING_MAX));
        return environment;
    }

    private static String order(Reply accepted) {
        assertThat(accepted.status()).as(accepted.text()).isEqualTo(202);
        return accepted.json().path("orderId").asString();
    }

    /** Reads an order. A process that does not know at the moment what was accepted answers 503. */
    private static Reply read(LotteryProcess lottery, String order) {
        return new Patience().ask(() -> lottery.get("/api/v1/raffle-orders/" + order));
    }

    private static String state(LotteryProcess lottery, String order) {
        return read(lottery, order).json().path("state").asString();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    @DisplayName("Requests are refused at once, draws at once go on, and what was asked again later is drawn once")
    void away() throws Exception {
        String servers = servers();
        try (LotteryProcess lottery = LotteryProcess.open(environment())) {
            TrialActivity activity = TrialActivity.open(lottery, COFFEE, CHANCES);
            activity.recharge("ann");
            Set<String> orders = new HashSet<>();
            await().atMost(SOON).until(() -> activity.queue("ann", "before").status() != 503);
            String before =
                    activity.queue("ann", "before").json().path("orderId").asString();
            orders.add(before);
            await().atMost(SOON).until(() -> StoredFacts.draws(activity) == 1);
            broker.close();
            List<Duration> unknown = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                long begin = System.nanoTime();
                Reply reply = activity.queue("ann", "key-" + i);
                Duration took = Duration.ofNanos(System.nanoTime() - begin);
                assertThat(took).isLessThan(ANSWER_MAX);
                if (reply.code().equals("ACCEPTANCE_UNKNOWN")) {
                    unknown.add(took);
                }
                assertThat(reply.status()).as(reply.text()).isEqualTo(503);
                assertThat(reply.code()).isIn("NOT_READY", "ACCEPTANCE_UNKNOWN");
                assertThat(reply.headers().getFirst("Retry-After")).isNotNull();
            }
            if (!unknown.isEmpty()) {
                assertThat(Collections.min(unknown))
                        .as("the wait for the broker")
                        .isLessThan(USUAL_PRODUCER_MIN);
            }
            await().atMost(SOON)
                    .until(() -> activity.queue("ann", "key-0").code().equals("NOT_READY"));
            assertThat(fastestRefusal(activity)).as("at once").isLessThan(Duration.ofSeconds(2));
            Patience.created(() -> activity.draw("ann", "at-once"));
            Reply known = read(lottery, before);
            assertThat(known.json().path("state").asString()).isEqualTo("USED");
            broker = broker(Integer.parseInt(servers.replaceFirst(".*:", "")));
            for (int i = 0; i < REQUESTS; i++) {
                String key = "key-" + i;
                await().atMost(SOON).until(() -> activity.queue("ann", key).status() != 503);
                Reply reply = activity.queue("ann", key);
                assertThat(reply.status()).as(reply.text()).isIn(200, 202);
                orders.add(reply.json().path("orderId").asString());
            }
            orders.add(activity.draw("ann", "at-once").json().path("orderId").asString());
            await().atMost(SOON).until(() -> StoredFacts.draws(activity) == REQUESTS + 2);
            assertThat(Set.copyOf(StoredFacts.orders(activity, "raffle.drawn"))).isEqualTo(orders);
        }
    }

    /** Returns how long the fastest of several refusals took: the machine may have paused during the others. */
    private static Duration fastestRefusal(TrialActivity activity) {
        return IntStream.range(0, 5)
                .mapToObj(_ -> {
                    long begin = System.nanoTime();
                    assertThat(activity.queue("ann", "key-1").code()).isEqualTo("NOT_READY");
                    return Duration.ofNanos(System.nanoTime() - begin);
                })
                .min(Duration::compareTo)
                .orElseThrow();
    }

    @Test
    @DisplayName(
            "At its limit it refuses and keeps what it has; who draws is killed in the middle, and all are drawn once")
    void nobodyDraws() throws Exception {
        int rounds = 1;
        // All may be drawn before the kill.
        while (!isDrawnAfterKill()) {
            rounds++;
            assertThat(rounds).as("rounds without a kill in the middle").isLessThanOrEqualTo(ROUNDS_MAX);
        }
    }

    /** Returns whether the kill came in the middle. Only then has the round shown anything about it. */
    private boolean isDrawnAfterKill() throws Exception {
        try (LotteryProcess door = LotteryProcess.open(accepting())) {
            TrialActivity activity = TrialActivity.open(door, COFFEE, CHANCES);
            TrialActivity other = TrialActivity.open(door, COFFEE, CHANCES);
            for (int i = 0; i < CALLERS; i++) {
                activity.recharge("user-" + i);
            }
            await().atMost(SOON).until(() -> other.queue("nobody", "first").status() != 503);
            List<List<String>> accepted = Crowd.calls(CALLERS, CALLERS, caller -> {
                List<String> mine = new ArrayList<>();
                for (int i = 0; i < DRAWS_OF_EACH; i++) {
                    String key = "key-" + i;
                    // On a slow machine the broker may be late.
                    mine.add(order(new Patience().ask(() -> activity.queue("user-" + caller, key))));
                }
                return mine;
            });
            List<String> all = accepted.stream().flatMap(List::stream).toList();
            // An order that does not exist is known not to exist when all that was accepted is read.
            String unknown = all.getFirst().replaceFirst(".{6}$", "abcdef");
            assertThat(read(door, unknown).status()).isEqualTo(404);
            // A process that does not know at the moment how many wait refuses in another way.
            Reply full = await().atMost(SOON)
                    .until(
                            () -> activity.queue("user-0", "one more"),
                            reply -> !List.of("NOT_READY", "ACCEPTANCE_UNKNOWN").contains(reply.code()));
            assertThat(full.status()).as(full.text()).isEqualTo(503);
            assertThat(full.code()).isEqualTo("BUSY");
            assertThat(full.headers().getFirst("Retry-After")).isNotNull();
            Reply again = new Patience().ask(() -> activity.queue("user-0", "key-0"));
            assertThat(order(again)).isEqualTo(all.getFirst());
            assertThat(again.headers().getFirst("Idempotency-Replayed")).isEqualTo("true");
            String poor = order(new Patience().ask(() -> other.queue("nobody", "second")));
            for (String waits : List.of(all.getFirst(), all.getLast(), poor)) {
                assertThat(state(door, waits)).isEqualTo("QUEUED");
            }
            assertThat(StoredFacts.draws(activity)).isZero();
            LotteryProcess dying = LotteryProcess.open(environment());
            try {
                await().atMost(SOON)
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> StoredFacts.draws(activity) > 0);
            } finally {
                dying.kill();
            }
            if (StoredFacts.draws(activity) == WAITING_MAX) {
                return false;
            }
            try (LotteryProcess drawing = LotteryProcess.open(environment())) {
                await().atMost(SOON).until(() -> StoredFacts.draws(activity) >= WAITING_MAX);
                await().atMost(SOON).until(() -> state(drawing, poor).equals("REFUSED"));
                for (String last : List.of(all.getFirst(), all.getLast())) {
                    await().atMost(SOON).until(() -> state(door, last).equals("USED"));
                }
                await().atMost(SOON)
                        .until(() -> activity.queue("user-0", "one more").status() != 503);
                await().atMost(SOON).until(() -> StoredFacts.draws(activity) > WAITING_MAX);
                // The other process has no sagas. On a slow machine they would stay behind without this one.
                StoredFacts.awaitSound();
            }
            List<String> drawn = StoredFacts.orders(activity, "raffle.drawn");
            assertThat(drawn).containsAll(all).hasSize(WAITING_MAX + 1).doesNotHaveDuplicates();
            for (List<String> mine : accepted) {
                assertThat(drawn.stream().filter(Set.copyOf(mine)::contains)).containsExactlyElementsOf(mine);
            }
            assertThat(StoredFacts.events("account.chance-spent", activity)).isEqualTo(WAITING_MAX + 1);
            return true;
        }
    }
}
