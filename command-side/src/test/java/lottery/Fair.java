package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import lottery.Http.Response;

/** An activity of its own for a test, open, with a strategy of the same number, played over HTTP. */
final class Fair {

    private static final AtomicLong IDS = new AtomicLong(700_000);

    private final Http http;
    final long id = IDS.incrementAndGet();

    private Fair(Http http) {
        this.http = http;
    }

    /** @param rules the definition of the strategy without its id and its braces */
    static Fair open(Http http, String rules) {
        Fair fair = new Fair(http);
        assertThat(http.post("/api/v1/strategies", fair.strategy(rules)).status())
                .isEqualTo(201);
        assertThat(http.post("/api/v1/activities", """
                {"activityId": %d, "name": "Fair", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d, "skus": [
                   {"sku": 1, "total": 1000, "month": 1000, "day": 1000}]}
                """.formatted(fair.id, fair.id))
                        .status())
                .isEqualTo(201);
        for (String action : List.of("submit", "pass", "start")) {
            assertThat(http.post(
                                    "/api/v1/activities/" + fair.id + "/transitions",
                                    "{\"action\": \"%s\"}".formatted(action))
                            .status())
                    .isEqualTo(200);
        }
        return fair;
    }

    String strategy(String rules) {
        return "{\"strategyId\": %d, %s}".formatted(id, rules);
    }

    Response revise(int basedOn, String rules) {
        return http.put("/api/v1/strategies/" + id, strategy(rules), "If-Match", "\"" + basedOn + "\"");
    }

    void recharge(String user) {
        assertThat(http.post(
                                account(user) + "/recharges",
                                "{\"sku\": 1, \"outBusinessNo\": \"fair-%d-%s\"}".formatted(id, user))
                        .status())
                .isEqualTo(201);
    }

    Response draw(String user, String key) {
        return http.post(account(user) + "/draws", "", "Idempotency-Key", key);
    }

    private String account(String user) {
        return "/api/v1/activities/" + id + "/accounts/" + user;
    }

    interface Call {
        Response at(int index);
    }

    static List<Response> inParallel(int times, Call call) throws Exception {
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
