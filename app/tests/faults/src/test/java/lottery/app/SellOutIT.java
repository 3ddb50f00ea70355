package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import lottery.app.FaultyRedis.RedisFault;
import lottery.app.LotteryProcess.Reply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Sells all limited stock to the last unit, while Redis loses its memory, dies and gets wrong values.
 * {@code -Dtrial.users=100000} makes a crowd of that size, and a tenth of units.
 */
@DisplayName("A sell-out with a Redis that cannot be trusted")
class SellOutIT {

    private static final int USERS = Integer.getInteger("trial.users", 1_500);
    private static final int UNITS = USERS / 10;
    private static final int PARTICIPATIONS = USERS + USERS / 2;
    private static final long SEED = Long.getLong("trial.seed", new Random().nextLong());
    private static final int CALLERS = 64;
    private static final Duration PAUSE_MAX = Duration.ofMillis(300);

    /** The most time for the last units. A stock that is empty by mistake is looked at again within a minute. */
    private static final Duration LEFT_MAX = Duration.ofMinutes(2);

    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.6", "sort": 1},
              {"awardId": 2, "title": "Ticket", "type": "TEXT", "rate": "0.15", "sort": 2, "stock": %d},
              {"awardId": 3, "title": "Cinema", "type": "TEXT", "rate": "0.25", "sort": 3}]""".formatted(UNITS);

    private static final String CHANCES = """
            "participationsMax": %d, "skus": [{"sku": 1, "total": 10, "month": 10, "day": 10, "stock": %d}]""".formatted(PARTICIPATIONS, USERS);

    private final Random random = new Random(SEED);
    private final Patience patience = new Patience();
    private final LongAdder requests = new LongAdder();
    private final Map<RedisFault, Integer> faults = new EnumMap<>(RedisFault.class);
    private final AtomicBoolean ended = new AtomicBoolean();
    private int overwritten;

    @Test
    @DisplayName("A sell-out gives all units, none twice, and leaves none")
    void sellOut() throws Exception {
        long begun = System.nanoTime();
        System.out.printf("sell-out: -Dtrial.users=%d -Dtrial.seed=%d%n", USERS, SEED);
        try (FaultyRedis redis = FaultyRedis.start(LotteryProcess.FOLDER.resolve("faulty-redis"));
                LotteryProcess lottery = LotteryProcess.open(environment(redis))) {
            TrialActivity activity = TrialActivity.open(lottery, RULES, CHANCES);
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<?> faulty = threads.submit(() -> beFaulty(redis));
                try {
                    rechargeAll(activity);
                    drawAll(activity);
                } finally {
                    ended.set(true);
                }
                faulty.get();
            }
            System.out.printf(
                    "sell-out: %d requests in %d s, %d times busy, Redis: %s, %d keys overwritten%n",
                    requests.sum(),
                    Duration.ofNanos(System.nanoTime() - begun).toSeconds(),
                    patience.busy(),
                    faults,
                    overwritten);
            assertThat(faults).containsOnlyKeys(RedisFault.values());
            if (activity.hasStock()) {
                assertThat(overwritten).isPositive();
            }
            assertThat(StoredFacts.draws(activity)).isEqualTo(PARTICIPATIONS);
            assertThat(StoredFacts.claims(activity, "participations:%d")).isEqualTo(PARTICIPATIONS);
            assertThat(StoredFacts.claims(activity, "sku:%d/1")).isEqualTo(USERS);
            assertThat(StoredFacts.wins(activity, 2)).isEqualTo(UNITS);
            assertThat(StoredFacts.claims(activity, "stock:%d/2")).isEqualTo(UNITS);
            StoredFacts.awaitSound();
        }
    }

    private static Map<String, String> environment(FaultyRedis redis) throws Exception {
        Map<String, String> environment = Servers.environmentOfTrial();
        environment.put("LOTTERY_REDIS_URL", redis.url());
        return environment;
    }

    /** Gives each user one recharge, and requires that nobody gets another one. */
    private void rechargeAll(TrialActivity activity) throws Exception {
        for (List<Integer> missing = numbers(USERS); !missing.isEmpty(); ) {
            missing = refused(missing, "SKU_SOLD_OUT", user -> activity.recharge("user-" + user, "n" + user));
        }
        assertThat(patience.ask(() -> activity.recharge("user-0", "one more")).code())
                .isEqualTo("SKU_SOLD_OUT");
    }

    /** Takes all participations, and requires that nobody gets another one. */
    private void drawAll(TrialActivity activity) throws Exception {
        List<Integer> missing = refused(numbers(PARTICIPATIONS), "ACTIVITY_FULL", draw -> draw(activity, draw));
        System.out.printf("sell-out: %d were told too early that there is nothing left%n", missing.size());
        ended.set(true);
        List<Integer> late = new ArrayList<>(missing);
        await().atMost(LEFT_MAX).pollInterval(Duration.ofMillis(500)).until(() -> {
            List<Integer> still = refused(late, "ACTIVITY_FULL", draw -> draw(activity, draw));
            late.retainAll(still);
            return late.isEmpty();
        });
        assertThat(patience.ask(() -> activity.draw("user-0", "one more")).code())
                .isEqualTo("ACTIVITY_FULL");
    }

    private static Reply draw(TrialActivity activity, int number) {
        return activity.draw("user-" + number % USERS, "draw-" + number);
    }

    private static List<Integer> numbers(int count) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    private interface Request {
        Reply of(int number);
    }

    /** Returns the numbers that were told that nothing is left. All others have what they wanted. */
    private List<Integer> refused(List<Integer> numbers, String code, Request request) throws Exception {
        List<Integer> refused = Crowd.calls(numbers.size(), CALLERS, i -> {
            requests.increment();
            Reply reply = patience.ask(() -> request.of(numbers.get(i)));
            boolean isMade = reply.status() == 201 || reply.status() == 200;
            assertThat(isMade || reply.code().equals(code))
                    .as("%d %s", reply.status(), reply.text())
                    .isTrue();
            return isMade ? -1 : numbers.get(i);
        });
        return refused.stream().filter(number -> number >= 0).toList();
    }

    private @Nullable Void beFaulty(FaultyRedis redis) throws Exception {
        List<RedisFault> next = new ArrayList<>();
        while (!ended.get()) {
            if (next.isEmpty()) {
                next.addAll(List.of(RedisFault.values()));
                Collections.shuffle(next, random);
            }
            RedisFault fault = next.removeLast();
            overwritten += redis.suffer(fault);
            faults.merge(fault, 1, Integer::sum);
            LockSupport.parkNanos(random.nextLong(PAUSE_MAX.toNanos()));
        }
        return null;
    }
}
