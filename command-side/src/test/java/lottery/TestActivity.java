package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import lottery.Http.Response;

/** An open activity for one test, with a strategy of the same number, driven over HTTP. */
final class TestActivity {

    /** A zone in which no day ends for hours, so that what a user has done today stays the same. */
    static final String MIDDAY_ZONE = middayZone();

    private static final AtomicLong IDS = new AtomicLong(700_000);

    /** The most attempts of a request that is refused as busy. */
    private static final int TURNS_MAX = 200;

    private static final Duration PAUSE_MAX = Duration.ofMillis(50);

    private final Http http;
    final long id = IDS.incrementAndGet();

    private TestActivity(Http http) {
        this.http = http;
    }

    private static final String ANY_NUMBER = """
            "skus": [{"sku": 1, "total": 1000, "month": 1000, "day": 1000}]""";

    /** @param rules the definition of the strategy without its id and its braces */
    static TestActivity open(Http http, String rules) {
        return open(http, rules, ANY_NUMBER);
    }

    /**
     * @param rules the definition of the strategy without its id and its braces
     * @param chances the SKUs and the limits of the activity
     */
    static TestActivity open(Http http, String rules, String chances) {
        TestActivity activity = new TestActivity(http);
        assertThat(http.post("/api/v1/strategies", activity.strategy(rules)).status())
                .isEqualTo(201);
        assertThat(http.post("/api/v1/activities", """
                {"activityId": %d, "name": "Fair", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d, %s}
                """.formatted(activity.id, activity.id, chances))
                        .status())
                .isEqualTo(201);
        List.of("submit", "pass", "start").forEach(activity::transition);
        return activity;
    }

    private static String middayZone() {
        int hour = ZonedDateTime.now(ZoneOffset.UTC).getHour();
        return ZoneOffset.ofHours(12 - hour).getId();
    }

    void transition(String action) {
        assertThat(http.post("/api/v1/activities/" + id + "/transitions", "{\"action\": \"%s\"}".formatted(action))
                        .status())
                .isEqualTo(200);
    }

    String strategy(String rules) {
        return "{\"strategyId\": %d, %s}".formatted(id, rules);
    }

    Response revise(int basedOn, String rules) {
        return http.put("/api/v1/strategies/" + id, strategy(rules), "If-Match", "\"" + basedOn + "\"");
    }

    /** Lets the activity draw by another version of its strategy. */
    void adopt(int version) {
        assertThat(http.post(
                                "/api/v1/activities/" + id + "/transitions",
                                "{\"action\": \"adopt\", \"strategyVersion\": %d}".formatted(version))
                        .status())
                .isEqualTo(200);
    }

    void recharge(String user) {
        assertThat(recharge(user, "fair-" + user, "").status()).isEqualTo(201);
    }

    /** @param more further fields of the request */
    Response recharge(String user, String outBusinessNo, String more) {
        return http.post(
                account(user) + "/recharges",
                "{\"sku\": 1, \"outBusinessNo\": \"%s-%d\"%s}".formatted(outBusinessNo, id, more));
    }

    Response draw(String user, String key) {
        return draw(user, "", key);
    }

    Response draw(String user, String body, String key) {
        return http.post(account(user) + "/draws", body, "Idempotency-Key", key);
    }

    Response partake(String user, String... key) {
        return http.post(account(user) + "/raffle-orders", "", header(key));
    }

    Response drawOrder(String orderId, String... key) {
        return http.post("/api/v1/raffle-orders/" + orderId + "/draw", "", header(key));
    }

    Response cancel(String orderId, String... key) {
        return http.post("/api/v1/raffle-orders/" + orderId + "/cancellation", "", header(key));
    }

    private static String[] header(String... key) {
        return key.length == 0 ? key : new String[] {"Idempotency-Key", key[0]};
    }

    String account(String user) {
        return "/api/v1/activities/" + id + "/accounts/" + user;
    }

    interface IndexedCall {
        Response at(int index);
    }

    /** Repeats a request that is refused as busy. */
    static Response insist(Supplier<Response> question) {
        Response answer = question.get();
        for (int turn = 1; answer.status() == 503 && turn < TURNS_MAX; turn++) {
            // Random pauses keep callers from meeting again.
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(PAUSE_MAX.toNanos()));
            answer = question.get();
        }
        return answer;
    }

    static List<Response> inParallel(int times, IndexedCall call) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Response>> calls = IntStream.range(0, times)
                    .mapToObj(i -> threads.submit(() -> call.at(i)))
                    .toList();
            List<Response> answers = new ArrayList<>();
            for (Future<Response> answer : calls) {
                answers.add(answer.get(30, TimeUnit.SECONDS));
            }
            return answers;
        }
    }
}
