package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import lottery.app.LotteryProcess.Reply;
import lottery.embedded.EmbeddedServerKind;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a broker that stops under load and comes back later; {@code -Dtrial.outage=120} makes that two minutes. */
@Tag("turn-1")
@DisplayName("A lottery without its broker")
class BrokerAwayIT {

    private static final Duration OUTAGE = Duration.ofSeconds(Long.getLong("trial.outage", 15));
    private static final Duration AROUND = Duration.ofSeconds(3);
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int CALLERS = 4;

    /** The pause of a caller between draws, so that a small machine bears the load during a build. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 100000, "month": 100000, "day": 100000}]""";

    /** Award 2 waits for a time at which the broker is away. */
    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.5", "sort": 1},
              {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.5", "sort": 2,
               "grant": {"timing": "SCHEDULED", "at": "MIDDLE"}}]""";

    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger draws = new AtomicInteger();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final Path data;
    private EmbeddedServers broker;

    private volatile boolean ends;

    BrokerAwayIT() throws IOException {
        data = Files.createTempDirectory(LotteryProcess.FOLDER, "broker-");
        broker = broker(0);
    }

    private EmbeddedServers broker(int port) {
        return EmbeddedServers.start(new EmbeddedSettings(
                data, Set.of(EmbeddedServerKind.KAFKA), Map.of(EmbeddedServerKind.KAFKA, port), true));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    @DisplayName("The lottery draws without a broker, and hands over all awards once when it is back")
    void away() throws Exception {
        String servers = address();
        Map<String, String> environment = new LinkedHashMap<>(Servers.environmentOfTrial());
        environment.replaceAll((_, value) -> value.replace(Servers.property("lottery.kafka.servers"), servers));
        environment.put("LOTTERY_FULFILMENT_ENABLED", "false");
        try (LotteryProcess lottery = LotteryProcess.open(environment);
                ExternalFulfilment receiver =
                        ExternalFulfilment.open(servers, "receiver", ExternalFulfilment.DECENT, 1);
                ExecutorService users = Executors.newVirtualThreadPerTaskExecutor();
                // After a failure, too: the end of the executor waits for the users.
                Closeable _ = () -> ends = true) {
            Instant middle =
                    Instant.now().plus(AROUND).plus(OUTAGE.dividedBy(2)).plusSeconds(4);
            TrialActivity activity = TrialActivity.open(lottery, RULES.replace("MIDDLE", middle.toString()), CHANCES);
            TrialActivity later = TrialActivity.announce(lottery, middle);
            for (int i = 0; i < CALLERS; i++) {
                String user = "user-" + i;
                activity.recharge(user);
                users.execute(() -> drawUntilTheEnd(activity, user));
            }
            LockSupport.parkNanos(AROUND.toNanos());
            int before = draws.get();
            broker.close();
            await().pollDelay(OUTAGE).atMost(OUTAGE.plus(SOON)).until(() -> true);
            int during = draws.get() - before;
            await("begins without a broker")
                    .atMost(SOON)
                    .until(() -> later.state().equals("DOING"));
            broker = broker(Integer.parseInt(servers.replaceFirst(".*:", "")));
            int back = draws.get();
            LockSupport.parkNanos(AROUND.toNanos());
            int after = draws.get() - back;
            ends = true;
            users.shutdown();
            assertThat(users.awaitTermination(SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            Instant quiet = Instant.now();
            System.out.printf(
                    "broker away: %d draws in %d s before, %d in %d s without it, %d in %d s after%n",
                    before, AROUND.toSeconds(), during, OUTAGE.toSeconds(), after, AROUND.toSeconds());
            assertThat(wrong).isEmpty();
            assertThat((double) during / OUTAGE.toSeconds())
                    .as("draws per second without a broker")
                    .isGreaterThan(CALLERS)
                    // The machine may have become slower meanwhile.
                    .isGreaterThan(0.5 * Math.min(before, after) / AROUND.toSeconds());
            await().atMost(Duration.ofMinutes(3))
                    .pollInterval(Duration.ofMillis(500))
                    .untilAsserted(() ->
                            assertThat(receiver.handedOver().keySet()).containsAll(StoredFacts.awardRecords(activity)));
            StoredFacts.awaitSound();
            System.out.printf(
                    "broker away: %d wins, all with the receiver and sound %d s after the last draw%n",
                    receiver.handedOver().size(),
                    Duration.between(quiet, Instant.now()).toSeconds());
            assertThat(receiver.failure()).isNull();
            assertThat(StoredFacts.awardRecords(activity, "award.granted"))
                    .containsExactlyInAnyOrderElementsOf(StoredFacts.awardRecords(activity));
        }
    }

    private String address() {
        return broker.properties().getOrDefault("lottery.kafka.servers", "");
    }

    private void drawUntilTheEnd(TrialActivity activity, String user) {
        while (!ends) {
            Reply reply = activity.draw(user, "draw-" + attempts.incrementAndGet());
            switch (reply.status()) {
                case 201 -> draws.incrementAndGet();
                case 503 -> {} // Busy for the moment: the next draw follows.
                default -> wrong.add(reply.text());
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
