package lottery.app;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import lottery.app.LotteryProcess.Reply;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;

/** The lottery that the tests of security share, and the requests that they have in common. */
final class TokenLottery {

    static final String MUGS = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "A mug", "type": "PHYSICAL", "rate": "1", "sort": 1}]""";

    static final String TEA = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Tea", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String KEY = "Idempotency-Key";
    private static final AtomicInteger NUMBERS = new AtomicInteger(700_000);
    private static final SharedLottery SHARED = SharedLottery.withIdentity(Map.of());

    private TokenLottery() {}

    /** Returns when the lottery runs. */
    static void open() {
        SHARED.process();
    }

    static LotteryProcess lottery() {
        return SHARED.process();
    }

    static TokenIssuer issuer() {
        return SHARED.issuer();
    }

    static String token(String name, String... roles) {
        return issuer().token(name, roles);
    }

    /** Returns a number that no other test of security uses. */
    static int nextNumber() {
        return NUMBERS.incrementAndGet();
    }

    /** Asks until the answer is not 503, with the same key each time. */
    static Reply as(String token, HttpMethod method, String path, @Nullable String body, String... headers) {
        return new Patience().ask(request(token, method, path, body, headers));
    }

    private static Supplier<Reply> request(
            String token, HttpMethod method, String path, @Nullable String body, String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        all.addAll(List.of("Authorization", "Bearer " + token));
        if (method.equals(HttpMethod.POST) && !all.contains(KEY)) {
            all.addAll(List.of(KEY, UUID.randomUUID().toString()));
        }
        return () -> lottery().ask(method, path, body, all.toArray(String[]::new));
    }

    static Reply change(String token, int activity, String action) {
        return new Patience().ask(transition(token, activity, action));
    }

    private static Supplier<Reply> transition(String token, int activity, String action) {
        return request(
                token,
                HttpMethod.POST,
                "/api/v1/activities/%d/transitions".formatted(activity),
                "{\"action\": \"%s\"}".formatted(action));
    }

    /** An activity that was submitted by Olga. */
    static int submitted(String awards) {
        return submitted(awards, "\"description\": \"Mugs\"");
    }

    static int submitted(String awards, String more) {
        int number = nextNumber();
        define("/api/v1/strategies", "{\"strategyId\": %d, %s}".formatted(number, awards));
        define("/api/v1/activities", """
                {"activityId": %d, "name": "Mugs", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d, %s, "skus": [
                   {"sku": 1, "total": 9, "month": 9, "day": 9},
                   {"sku": 2, "total": 1, "month": 1, "day": 1, "priceCredits": "5"},
                   {"sku": 3, "total": 1, "month": 1, "day": 1, "price": {"amount": "9.9", "currency": "CNY"}}]}""".formatted(number, number, more));
        Patience.changed(
                transition(token("olga", "operator", "approver"), number, "submit"),
                () -> !StoredFacts.actorsOf("activity.submitted", number).isEmpty());
        return number;
    }

    static int opened(String awards) {
        return opened(submitted(awards));
    }

    static int opened(int number) {
        Patience.changed(
                transition(token("paul", "approver"), number, "pass"),
                () -> !StoredFacts.actorsOf("activity.passed", number).isEmpty());
        await().atMost(SOON).until(() -> {
            Reply started = change(token("olga", "operator"), number, "start");
            return started.status() == 200 || started.code().equals("ACTIVITY_STATE");
        });
        return number;
    }

    private static void define(String path, String definition) {
        Patience.created(request(token("olga", "operator"), HttpMethod.POST, path, definition));
    }
}
