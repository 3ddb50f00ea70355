package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import lottery.app.LotteryProcess.Reply;
import org.springframework.web.client.ResourceAccessException;

/** Users who do everything that users do, and remember each answer that has to stay the same. */
final class Players {

    static final int USERS = 20;

    /** More callers than users, so that some users do two things at once. */
    static final int CALLERS = 32;

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

    /** The SKU that costs credits. */
    private static final int FOR_CREDITS = 3;

    /** A request that may be sent again. With its key or its number, it is always answered in the same way. */
    private record RepeatableRequest(String path, String body, String key) {

        Reply of(LotteryProcess lottery) {
            return key.isEmpty() ? lottery.post(path, body) : lottery.post(path, body, "Idempotency-Key", key);
        }
    }

    private final AtomicInteger numbers = new AtomicInteger();
    private final LongAdder requests = new LongAdder();
    private final LongAdder unanswered = new LongAdder();
    private final LongAdder bought = new LongAdder();
    private final Map<String, LongAdder> answered = new ConcurrentSkipListMap<>();
    private final Map<RepeatableRequest, String> promised = new ConcurrentHashMap<>();

    /** The orders of this activity that were named in an answer, with a key or without. */
    private final Set<String> heard = ConcurrentHashMap.newKeySet();

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

    /** Opens an activity for all that follows, uploads its codes, and gives each user the credits for two recharges. */
    TrialActivity open(LotteryProcess lottery, int participationsMax) {
        TrialActivity activity = TrialActivity.open(lottery, RULES, """
                "participationsMax": %d, "skus": [
                  {"sku": 1, "total": 6, "month": 6, "day": 6},
                  {"sku": 2, "total": 9, "month": 9, "day": 9, "stock": 20},
                  {"sku": 3, "total": 1, "month": 1, "day": 1, "stock": 30, "priceCredits": "1.5"}]""".formatted(participationsMax));
        orders.forEach(List::clear);
        recharges.forEach(List::clear);
        promised.clear();
        heard.clear();
        Reply uploaded = new Patience().ask(() -> lottery.post(activity.path("/award-codes/4"), CODES));
        assertThat(uploaded.status()).as(uploaded.text()).isEqualTo(200);
        for (int user = 0; user < USERS; user++) {
            String credits = "/api/v1/users/user-" + user + "/credits/entries";
            Patience.created(() -> lottery.post(
                    credits, "{\"amount\": \"3\", \"businessNo\": \"welcome-%d\"}".formatted(activity.id())));
        }
        return activity;
    }

    /**
     * Plays as one of the callers until the lottery is dead. The first answer of a round ends it soon, so the call that
     * no round may miss comes first.
     */
    void playUntilKilled(int caller, long seed, TrialActivity activity) {
        Player player = new Player(caller % USERS, seed, () -> activity);
        try {
            player.recharge(FOR_CREDITS, "");
            while (true) {
                player.act();
            }
        } catch (ResourceAccessException killed) {
            unanswered.increment(); // Nothing was promised.
        } catch (RuntimeException e) {
            wrong.add(e.toString());
        }
    }

    /**
     * Plays as one of the callers until an end, at the process that is named each time.
     *
     * @param pause between what it does
     */
    void play(int caller, long seed, Supplier<TrialActivity> activity, Runnable pause, BooleanSupplier ends) {
        Player player = new Player(caller % USERS, seed, activity);
        while (!ends.getAsBoolean()) {
            try {
                player.act();
            } catch (ResourceAccessException away) {
                unanswered.increment(); // Nothing was promised.
            } catch (RuntimeException | AssertionError e) {
                wrong.add(e.toString());
            }
            pause.run();
        }
    }

    /**
     * Asks once more for all that was promised, and requires the same answers, and all orders of which anybody heard.
     */
    void requirePromises(TrialActivity activity) throws Exception {
        Patience patience = new Patience();
        List<RepeatableRequest> all = List.copyOf(promised.keySet());
        Crowd.calls(all.size(), CALLERS, i -> {
            RepeatableRequest request = all.get(i);
            Reply reply = patience.ask(() -> request.of(activity.lottery()));
            assertThat(reply.status()).as("%s: %s", request, reply.text()).isEqualTo(200);
            assertThat(reply.text()).as(request.toString()).isEqualTo(promised.get(request));
            return i;
        });
        Set<String> missing = new HashSet<>(heard);
        missing.removeAll(StoredFacts.orders(activity));
        assertThat(missing).as("orders that were answered and are not stored").isEmpty();
    }

    /** Returns how many answers have to stay the same. */
    int promises() {
        return promised.size();
    }

    /** Returns how many chances were bought for credits. */
    long bought() {
        return bought.sum();
    }

    /** Returns what was answered so far: the status of success, or the code of a refusal. */
    Set<String> outcomes() {
        return answered.keySet();
    }

    /** Returns what should not have been answered. */
    List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** Returns all that happened, for people. */
    String summary() {
        return "%d requests, %d of them without an answer, %d bought: %s"
                .formatted(requests.sum(), unanswered.sum(), bought.sum(), answered);
    }

    private final class Player {

        private final int user;
        private final Random choices;
        private final Supplier<TrialActivity> at;

        Player(int user, long seed, Supplier<TrialActivity> at) {
            this.user = user;
            this.choices = new Random(seed);
            this.at = at;
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
            TrialActivity activity = at.get();
            Reply reply = ask(new RepeatableRequest(
                    activity.account("user-" + user) + "/recharges",
                    "{\"sku\": %d, \"outBusinessNo\": \"%d-%d\"%s}"
                            .formatted(sku, activity.id(), numbers.incrementAndGet(), more),
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
                ask(new RepeatableRequest("/api/v1/recharges/" + recharge + "/completion", "", ""));
            }
        }

        /** Books credits; most bookings spend what was won. */
        private void book() {
            ask(new RepeatableRequest(
                    "/api/v1/users/user-" + user + "/credits/entries",
                    "{\"amount\": \"%d.5\", \"businessNo\": \"%d-%d\"}"
                            .formatted(choices.nextInt(6) - 4, at.get().id(), numbers.incrementAndGet()),
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
                ask(new RepeatableRequest("/api/v1/raffle-orders/" + order + what, "", key()));
            }
        }

        private void repeat() {
            List<RepeatableRequest> earlier = List.copyOf(promised.keySet());
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
            return ask(new RepeatableRequest(at.get().account("user-" + user) + what, body, key));
        }

        private Reply ask(RepeatableRequest request) {
            boolean wasPromised = promised.containsKey(request);
            requests.increment();
            Reply reply = request.of(at.get().lottery());
            answered.computeIfAbsent(outcome(reply), _ -> new LongAdder()).increment();
            boolean isDone = reply.status() == 200 || reply.status() == 201;
            if (isDone && request.path().startsWith(at.get().account(""))) {
                reply.json().findValues("orderId").forEach(order -> heard.add(order.asString()));
            }
            if (isDone && isRepeatable(request)) {
                String earlier = promised.putIfAbsent(request, reply.text());
                if (earlier != null && !earlier.equals(reply.text())) {
                    wrong.add("%s was %s and is %s".formatted(request, earlier, reply.text()));
                }
            }
            if ((wasPromised && !isDone && reply.status() != 503) || !isExpected(reply)) {
                wrong.add("%s: %d %s".formatted(request, reply.status(), reply.text()));
            }
            return reply;
        }

        /**
         * Returns whether the request may come again: recharges and bookings have numbers, and a second completion
         * changes nothing.
         */
        private static boolean isRepeatable(RepeatableRequest request) {
            return !request.key().isEmpty()
                    || request.path().endsWith("/recharges")
                    || request.path().endsWith("/completion")
                    || request.path().endsWith("/entries");
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
                                    "ORDER_CANCELLED",
                                    "CANCELLATION_LIMIT")
                            .contains(reply.code());
                default -> false;
            };
        }
    }
}
