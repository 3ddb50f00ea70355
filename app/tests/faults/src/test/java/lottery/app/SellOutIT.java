package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import lottery.app.LotteryProcess.Reply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.web.client.ResourceAccessException;

/**
 * Sells all limited stock and spends a whole budget, to the last unit, at two processes, which are killed in turns, and
 * without Redis. {@code -Dtrial.users=100000} makes a crowd of that size, and a tenth of units.
 */
@DisplayName("A sell-out at two processes that are killed, without Redis")
class SellOutIT {

    private static final int USERS = Integer.getInteger("trial.users", 1_500);
    private static final int UNITS = USERS / 10;
    private static final int PARTICIPATIONS = USERS + USERS / 2;
    private static final long SEED = Long.getLong("trial.seed", new Random().nextLong());
    private static final int CALLERS = 64;
    private static final int NODES = 2;
    /** Each process is killed twice. A process that has just started is slow, so more kills would only take longer. */
    private static final int KILLS = 2 * NODES;

    private static final Duration PAUSE_MAX = Duration.ofSeconds(4);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(50);

    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.6", "sort": 1},
              {"awardId": 2, "title": "Ticket", "type": "TEXT", "rate": "0.15", "sort": 2, "stock": %d},
              {"awardId": 3, "title": "Cinema", "type": "TEXT", "rate": "0.25", "sort": 3, "cost": "1"}]""".formatted(UNITS);

    private static final String CHANCES = """
            "participationsMax": %d, "budget": {"amount": "%d", "onReached": "FALLBACK"},
            "skus": [{"sku": 1, "total": 10, "month": 10, "day": 10, "stock": %d}]""".formatted(PARTICIPATIONS, UNITS, USERS);

    private final Random random = new Random(SEED);
    private final Patience patience = new Patience();
    private final LongAdder requests = new LongAdder();
    private final LongAdder unanswered = new LongAdder();
    private final AtomicReferenceArray<LotteryProcess> nodes = new AtomicReferenceArray<>(NODES);
    private final AtomicBoolean ended = new AtomicBoolean();
    private int kills;

    @Test
    @DisplayName("A sell-out gives all units, none twice, and tells nobody too early that none is left")
    void sellOut() throws Exception {
        long begun = System.nanoTime();
        System.out.printf("sell-out: -Dtrial.users=%d -Dtrial.seed=%d%n", USERS, SEED);
        try (FaultyRedis redis = FaultyRedis.start(LotteryProcess.FOLDER.resolve("faulty-redis"))) {
            Map<String, String> environment = Servers.environmentOfTrial();
            environment.put("LOTTERY_REDIS_URL", redis.url());
            for (int node = 0; node < NODES; node++) {
                nodes.set(node, LotteryProcess.open(environment));
            }
            TrialActivity activity = TrialActivity.open(nodes.get(0), RULES, CHANCES);
            redis.kill();
            sellOut(activity, environment);
            System.out.printf(
                    "sell-out: %d requests in %d s, %d times busy, %d kills, %d not answered%n",
                    requests.sum(),
                    Duration.ofNanos(System.nanoTime() - begun).toSeconds(),
                    patience.busy(),
                    kills,
                    unanswered.sum());
            assertThat(kills).isPositive();
            assertThat(StoredFacts.draws(activity)).isEqualTo(PARTICIPATIONS);
            assertThat(StoredFacts.taken(activity, "participations:%d")).isEqualTo(PARTICIPATIONS);
            assertThat(StoredFacts.taken(activity, "sku:%d/1")).isEqualTo(USERS);
            assertThat(StoredFacts.wins(activity, 2)).isEqualTo(UNITS);
            assertThat(StoredFacts.taken(activity, "award:%d/2")).isEqualTo(UNITS);
            assertThat(StoredFacts.wins(activity, 3))
                    .as("wins that the budget pays")
                    .isEqualTo(UNITS);
            assertThat(StoredFacts.taken(activity, "budget:%d")).isEqualTo(UNITS * 1_000_000L);
            // Nothing comes to rest, because the read models in Redis wait for it.
            StoredFacts.requireSoundInFlight();
        } finally {
            for (int node = 0; node < NODES; node++) {
                if (nodes.get(node) != null) {
                    nodes.get(node).close();
                }
            }
        }
    }

    private void sellOut(TrialActivity activity, Map<String, String> environment) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> killer = threads.submit(() -> killInTurns(environment));
            try {
                makeAll(USERS, (user, node) -> at(activity, node).recharge("user-" + user, "n" + user));
                makeAll(
                        PARTICIPATIONS,
                        (draw, node) -> at(activity, node).draw("user-" + draw % USERS, "draw-" + draw));
            } finally {
                ended.set(true);
            }
            killer.get();
        }
        for (int node = 0; node < NODES; node++) {
            TrialActivity there = activity.at(nodes.get(node));
            assertThat(patience.ask(() -> there.recharge("user-0", "one more")).code())
                    .isEqualTo("SKU_SOLD_OUT");
            assertThat(patience.ask(() -> there.draw("user-0", "one more")).code())
                    .isEqualTo("ACTIVITY_FULL");
        }
    }

    private TrialActivity at(TrialActivity activity, int node) {
        return activity.at(nodes.get(node % NODES));
    }

    private interface Request {
        Reply of(int number, int node);
    }

    /** Makes each request until it is answered, and requires that it gets what it wants. */
    private void makeAll(int count, Request request) throws Exception {
        Crowd.calls(count, CALLERS, i -> {
            Reply reply = patience.ask(() -> answered(i, request));
            assertThat(reply.status()).as(reply.text()).isIn(200, 201);
            return i;
        });
    }

    /** Makes a request, and repeats it at the other process if its process is away. */
    private Reply answered(int number, Request request) {
        for (int node = number; ; node++) {
            requests.increment();
            try {
                return request.of(number, node);
            } catch (ResourceAccessException killed) {
                unanswered.increment();
                LockSupport.parkNanos(RETRY_PAUSE.toNanos());
            }
        }
    }

    /** Kills one process after the other, each after a while, and starts another one in its place. */
    private @Nullable Void killInTurns(Map<String, String> environment) throws Exception {
        List<Integer> order = new ArrayList<>(IntStream.range(0, NODES).boxed().toList());
        while (!ended.get() && kills < KILLS) {
            LockSupport.parkNanos(random.nextLong(PAUSE_MAX.toNanos()));
            int node = order.removeFirst();
            order.add(node);
            nodes.get(node).kill();
            kills++;
            nodes.set(node, LotteryProcess.open(environment));
        }
        return null;
    }
}
