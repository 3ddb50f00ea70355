package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.web.client.ResourceAccessException;

/**
 * Tests users who do everything that users do, while the lottery is killed at random moments. Answers that were given
 * stay the same, and all sums are right in the end.
 *
 * <p>{@code -Dtrial.rounds=50} makes so many kills. The seed that is printed, as {@code -Dtrial.seed}, makes the same
 * choices, though not the same races.
 */
@DisplayName("A lottery that is killed in the middle of everything, again and again")
class KillIT {

    private static final int ROUNDS_USUAL = 2;
    private static final int ROUNDS = Integer.getInteger("trial.rounds", ROUNDS_USUAL);

    /** The rounds after which the activity is full and another one begins. */
    private static final int ROUNDS_PER_FAIR = 3;

    private static final long SEED = Long.getLong("trial.seed", new Random().nextLong());
    private static final int USERS = 20;

    /** More callers than users, so that some users do two things at once. */
    private static final int CALLERS = 32;

    private static final Duration LOAD_MIN = Duration.ofMillis(200);
    private static final Duration LOAD_MAX = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration FREE_AGAIN_MAX = Duration.ofMinutes(2);

    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Points", "type": "CREDIT", "amount": {"min": "0.01", "max": "8.88"}, "rate": "0.4",
               "sort": 1},
              {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.4", "sort": 2, "stock": 25},
              {"awardId": 3, "title": "Car", "type": "TEXT", "rate": "0.1", "sort": 3, "stock": 5,
               "lockedUntilDraws": 1},
              {"awardId": 4, "title": "Code", "type": "CODE", "rate": "0.1", "sort": 4, "onFailure": "SUBSTITUTE"}]""";

    /** Fewer codes than are won. */
    private static final String CODES = """
            {"codes": ["CODE-1", "CODE-2", "CODE-3", "CODE-4", "CODE-5", "CODE-6", "CODE-7", "CODE-8"]}""";

    private static final String CHANCES = """
            "participationsMax": 150, "skus": [
              {"sku": 1, "total": 6, "month": 6, "day": 6},
              {"sku": 2, "total": 9, "month": 9, "day": 9, "stock": 20},
              {"sku": 3, "total": 1, "month": 1, "day": 1, "stock": 30, "priceCredits": "1.5"}]""";

    /** The SKU that costs credits. */
    private static final int FOR_CREDITS = 3;

    /** A request that may be sent again. With its key or its number, it is always answered in the same way. */
    private record Asked(String path, String body, String key) {

        Reply of(LotteryProcess lottery) {
            return key.isEmpty() ? lottery.post(path, body) : lottery.post(path, body, "Idempotency-Key", key);
        }
    }

    private final Random random = new Random(SEED);
    private final AtomicInteger numbers = new AtomicInteger();
    private final LongAdder requests = new LongAdder();
    private final LongAdder unanswered = new LongAdder();
    private final LongAdder bought = new LongAdder();
    private final Map<String, LongAdder> answered = new ConcurrentSkipListMap<>();
    private final Map<Asked, String> promised = new ConcurrentHashMap<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final List<List<String>> orders = lists();
    private final List<List<String>> recharges = lists();

    private static List<List<String>> lists() {
        List<List<String>> lists = new ArrayList<>();
        for (int i = 0; i < USERS; i++) {
            lists.add(new CopyOnWriteArrayList<>());
        }
        return lists;
    }

    @Test
    @DisplayName("The lottery keeps what it promised, and comes to rest with all invariants intact")
    void killed() throws Exception {
        System.out.printf("kill: -Dtrial.rounds=%d -Dtrial.seed=%d%n", ROUNDS, SEED);
        long begun = System.nanoTime();
        List<Fair> fairs = new ArrayList<>();
        LotteryProcess lottery = LotteryProcess.open(Servers.environmentOfTrial());
        try {
            for (int round = 0; round < ROUNDS; round++) {
                if (round % ROUNDS_PER_FAIR == 0) {
                    fairs.add(Fair.open(lottery, RULES, CHANCES));
                    orders.forEach(List::clear);
                    recharges.forEach(List::clear);
                    promised.clear();
                    welcome(fairs.getLast());
                }
                play(fairs.getLast().at(lottery));
                lottery = LotteryProcess.open(Servers.environmentOfTrial());
                int kept = promised.size();
                requirePromises(lottery);
                System.out.printf("kill: round %d, %d promises kept%n", round + 1, kept);
            }
            System.out.printf(
                    "kill: %d rounds, %d requests, %d of them without an answer, %d bought, in %d s: %s%n",
                    ROUNDS,
                    requests.sum(),
                    unanswered.sum(),
                    bought.sum(),
                    Duration.ofNanos(System.nanoTime() - begun).toSeconds(),
                    answered);
            assertThat(answered.keySet()).contains("200", "201");
            assertThat(bought.sum()).as("chances bought for credits").isPositive();
            Stored.awaitSound();
            requireCodes(fairs);
            System.out.printf(
                    "kill: sound after %d s%n",
                    Duration.ofNanos(System.nanoTime() - begun).toSeconds());
            if (ROUNDS > ROUNDS_USUAL) {
                for (Fair fair : fairs) {
                    awaitNothingReserved(fair.at(lottery));
                }
            }
            System.out.printf(
                    "kill: at rest after %d s%n",
                    Duration.ofNanos(System.nanoTime() - begun).toSeconds());
        } finally {
            lottery.close();
        }
    }

    /** Requires that each code is with one award that was granted by it, and that each such award has one. */
    private static void requireCodes(List<Fair> fairs) {
        for (Fair fair : fairs) {
            List<String> granted = Stored.grantedByCode(fair);
            assertThat(Stored.recordsWithCode(fair)).containsExactlyInAnyOrderElementsOf(granted);
            System.out.printf("kill: %d awards granted by a code%n", granted.size());
        }
    }

    /** Uploads the codes, and gives each user the credits for two recharges. */
    private static void welcome(Fair fair) {
        Reply uploaded = fair.lottery().post(fair.path("/award-codes/4"), CODES);
        assertThat(uploaded.status()).as(uploaded.text()).isEqualTo(200);
        for (int user = 0; user < USERS; user++) {
            Reply given = fair.lottery()
                    .post(
                            "/api/v1/users/user-" + user + "/credits/entries",
                            "{\"amount\": \"3\", \"businessNo\": \"welcome-%d\"}".formatted(fair.id()));
            assertThat(given.status()).as(given.text()).isEqualTo(201);
        }
    }

    /** Lets users play, and kills the lottery at a random moment after its first answer. */
    private void play(Fair fair) throws InterruptedException {
        int before = promised.size();
        try (ExecutorService users = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CALLERS; i++) {
                Player player = new Player(fair, i % USERS, random.nextLong());
                users.execute(player::playUntilKilled);
            }
            try {
                await().atMost(SOON)
                        .pollInterval(Duration.ofMillis(10))
                        .until(() -> promised.size() > before && answered.containsKey("200"));
                LockSupport.parkNanos(random.nextLong(LOAD_MIN.toNanos(), LOAD_MAX.toNanos()));
            } finally {
                fair.lottery().kill();
            }
            users.shutdown();
            assertThat(users.awaitTermination(SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
        assertThat(wrong).isEmpty();
    }

    private void requirePromises(LotteryProcess lottery) throws Exception {
        Patience patience = new Patience();
        List<Asked> all = List.copyOf(promised.keySet());
        Crowd.calls(all.size(), CALLERS, i -> {
            Asked asked = all.get(i);
            Reply reply = patience.ask(() -> asked.of(lottery));
            assertThat(reply.status()).as("%s: %s", asked, reply.text()).isEqualTo(200);
            assertThat(reply.text()).as(asked.toString()).isEqualTo(promised.get(asked));
            return i;
        });
    }

    /**
     * Waits until nothing is reserved by dead processes any more. That takes more than a minute, so only longer trials
     * do it.
     */
    private static void awaitNothingReserved(Fair fair) {
        if (fair.hasStock()) {
            await().atMost(FREE_AGAIN_MAX)
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(fair.stock())
                            .isNotEmpty()
                            .allSatisfy(stock -> assertThat(
                                            stock.path("redis").path("reserved").asInt(0))
                                    .as(stock.toString())
                                    .isZero()));
        }
    }

    private final class Player {

        private final Fair fair;
        private final int user;
        private final Random choices;

        Player(Fair fair, int user, long seed) {
            this.fair = fair;
            this.user = user;
            this.choices = new Random(seed);
        }

        /**
         * Plays until the lottery is dead. The first answer of a round ends it soon, so the call that no round may miss
         * comes first.
         */
        void playUntilKilled() {
            try {
                recharge(FOR_CREDITS, "");
                while (true) {
                    act();
                }
            } catch (ResourceAccessException killed) {
                unanswered.increment(); // Nothing was promised.
            } catch (RuntimeException e) {
                wrong.add(e.toString());
            }
        }

        private void act() {
            switch (choices.nextInt(15)) {
                case 0 -> recharge(1, "");
                case 1 -> recharge(2, "");
                case 2 -> recharge(1 + choices.nextInt(2), ", \"payLater\": true");
                case 3 -> complete();
                case 4, 5 -> partake();
                case 6 -> ask("/draws", "", key());
                case 7 -> ask("/draws", "{\"count\": %d}".formatted(1 + choices.nextInt(5)), key());
                case 8 -> order("/draw");
                case 9 -> order("/cancellation");
                case 10, 11 -> book();
                case 12 -> recharge(FOR_CREDITS, "");
                default -> repeat();
            }
        }

        private String key() {
            return choices.nextInt(4) == 0 ? "" : "key-" + numbers.incrementAndGet();
        }

        private void recharge(int sku, String more) {
            Reply reply = ask(new Asked(
                    fair.account("user-" + user) + "/recharges",
                    "{\"sku\": %d, \"outBusinessNo\": \"%d-%d\"%s}"
                            .formatted(sku, fair.id(), numbers.incrementAndGet(), more),
                    ""));
            if (reply.status() == 201 && sku == FOR_CREDITS) {
                bought.increment();
            }
            if (reply.status() == 201 && !more.isEmpty()) {
                recharges.get(user).add(reply.json().get("rechargeId").asString());
            }
        }

        private void complete() {
            String recharge = any(recharges.get(user));
            if (!recharge.isEmpty()) {
                ask(new Asked("/api/v1/recharges/" + recharge + "/completion", "", ""));
            }
        }

        /** Books credits; most bookings spend what was won. */
        private void book() {
            ask(new Asked(
                    "/api/v1/users/user-" + user + "/credits/entries",
                    "{\"amount\": \"%d.5\", \"businessNo\": \"%d-%d\"}"
                            .formatted(choices.nextInt(6) - 4, fair.id(), numbers.incrementAndGet()),
                    ""));
        }

        private void partake() {
            Reply reply = ask("/raffle-orders", "", key());
            if (reply.status() == 201) {
                orders.get(user).add(reply.json().get("orderId").asString());
            }
        }

        private void order(String what) {
            String order = any(orders.get(user));
            if (!order.isEmpty()) {
                ask(new Asked("/api/v1/raffle-orders/" + order + what, "", key()));
            }
        }

        private void repeat() {
            List<Asked> earlier = List.copyOf(promised.keySet());
            if (!earlier.isEmpty()) {
                ask(earlier.get(choices.nextInt(earlier.size())));
            }
        }

        private String any(List<String> known) {
            int size = known.size();
            // Mostly the last one, which may still be open.
            return size == 0 ? "" : known.get(choices.nextBoolean() ? size - 1 : choices.nextInt(size));
        }

        private Reply ask(String what, String body, String key) {
            return ask(new Asked(fair.account("user-" + user) + what, body, key));
        }

        private Reply ask(Asked asked) {
            boolean wasPromised = promised.containsKey(asked);
            requests.increment();
            Reply reply = asked.of(fair.lottery());
            answered.computeIfAbsent(outcome(reply), _ -> new LongAdder()).increment();
            boolean isDone = reply.status() == 200 || reply.status() == 201;
            if (isDone && isRepeatable(asked)) {
                String earlier = promised.putIfAbsent(asked, reply.text());
                if (earlier != null && !earlier.equals(reply.text())) {
                    wrong.add("%s was %s and is %s".formatted(asked, earlier, reply.text()));
                }
            }
            if ((wasPromised && !isDone && reply.status() != 503) || !isExpected(reply)) {
                wrong.add("%s: %d %s".formatted(asked, reply.status(), reply.text()));
            }
            return reply;
        }

        /**
         * Returns whether the request may come again: recharges and bookings have numbers, and a second completion
         * changes nothing.
         */
        private static boolean isRepeatable(Asked asked) {
            return !asked.key().isEmpty()
                    || asked.path().endsWith("/recharges")
                    || asked.path().endsWith("/completion")
                    || asked.path().endsWith("/entries");
        }

        private static String outcome(Reply reply) {
            return reply.status() < 300 ? Integer.toString(reply.status()) : reply.code();
        }

        private static boolean isExpected(Reply reply) {
            return switch (reply.status()) {
                case 200, 201, 503 -> true;
                case 409 ->
                    List.of(
                                    "QUOTA_TOTAL",
                                    "QUOTA_MONTH",
                                    "QUOTA_DAY",
                                    "ACTIVITY_FULL",
                                    "SKU_SOLD_OUT",
                                    "CREDITS_SHORT",
                                    "ORDER_USED",
                                    "ORDER_CANCELLED")
                            .contains(reply.code());
                default -> false;
            };
        }
    }
}
