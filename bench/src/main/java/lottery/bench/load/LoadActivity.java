package lottery.bench.load;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lottery.bench.load.HttpConnection.HttpReply;

/** The activity that a run creates for itself. Its users have all the chances that they need. */
final class LoadActivity {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
    private static final Duration PREPARATION_MAX = Duration.ofMinutes(30);
    private static final int CALLERS = 16;

    /** The first id of such activities. Ids this large do not collide with ids that operators enter. */
    private static final long IDS_FROM = 4_000_000_000_000_000L;

    /** The most codes in one call. */
    private static final int CODES_PER_UPLOAD = 10_000;

    private final URI lottery;
    private final long id;
    private final int users;
    private final String path;

    private LoadActivity(URI lottery, long id, int users) {
        this.lottery = lottery;
        this.id = id;
        this.users = users;
        this.path = "/api/v1/activities/" + id;
    }

    static LoadActivity open(LoadOptions options) throws IOException, InterruptedException {
        long id = IDS_FROM + ThreadLocalRandom.current().nextLong(1_000_000_000_000L);
        LoadActivity activity = new LoadActivity(options.url(), id, options.users());
        try (HttpConnection connection = HttpConnection.open(options.url(), ANSWER_MAX);
                HttpConnection approver = HttpConnection.openAsApprover(options.url(), ANSWER_MAX)) {
            activity.open(connection, approver, options.scenario().awards(options.units()));
            if (options.scenario().hasCodes()) {
                activity.upload(connection, options.units());
            }
        }
        activity.recharge();
        return activity;
    }

    private void open(HttpConnection connection, HttpConnection approver, String awards) throws IOException {
        post(connection, "/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE", "fallback": 1, "awards": [%s]}""".formatted(id, awards));
        post(connection, "/api/v1/activities", """
                {"activityId": %d, "name": "Load of %s", "beginsAt": "2020-01-01T00:00:00Z",
                 "endsAt": "%s", "strategyId": %d,
                 "skus": [{"sku": 1, "total": 1000000, "month": 1000000, "day": 1000000}]}""".formatted(
                        id, Instant.now(), Instant.now().plus(Duration.ofDays(30)), id));
        post(connection, path + "/transitions", "{\"action\": \"submit\"}");
        post(approver, path + "/transitions", "{\"action\": \"pass\"}");
        HttpReply started =
                connection.ask(HttpConnection.post(lottery, path + "/transitions", "", "{\"action\": \"start\"}"));
        // The start time has come, so the activity may have started by itself.
        if (!started.isDone() && !started.name().endsWith("ACTIVITY_STATE")) {
            throw new IOException("the activity does not start: " + started.text());
        }
    }

    private void upload(HttpConnection connection, int codes) throws IOException {
        for (int from = 0; from < codes; from += CODES_PER_UPLOAD) {
            String some = IntStream.range(from, Math.min(codes, from + CODES_PER_UPLOAD))
                    .mapToObj(i -> "\"%d-%d\"".formatted(id, i))
                    .collect(Collectors.joining(","));
            post(connection, path + "/award-codes/" + LoadScenario.CODE_AWARD, "{\"codes\": [" + some + "]}");
        }
    }

    private void post(HttpConnection connection, String where, String body) throws IOException {
        HttpReply reply = connection.ask(HttpConnection.post(lottery, where, "", body));
        if (!reply.isDone()) {
            throw new IOException(where + " is refused: " + reply.text());
        }
    }

    private void recharge() throws IOException, InterruptedException {
        AtomicInteger next = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<Integer>> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                callers.add(threads.submit(() -> recharge(next)));
            }
            for (Future<Integer> caller : callers) {
                caller.get(PREPARATION_MAX.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (ExecutionException e) {
            throw new IOException("the users get no chances: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IOException("the users have not got their chances in " + PREPARATION_MAX, e);
        } finally {
            threads.shutdownNow();
        }
    }

    private int recharge(AtomicInteger next) throws IOException {
        try (HttpConnection connection = HttpConnection.open(lottery, ANSWER_MAX)) {
            int user = next.getAndIncrement();
            while (user < users) {
                HttpReply reply = connection.ask(
                        HttpConnection.post(lottery, account(user) + "/recharges", "", """
                        {"sku": 1, "outBusinessNo": "load-%d-%d"}""".formatted(id, user)));
                if (reply.isDone()) {
                    user = next.getAndIncrement();
                } else if (reply.status() != 503) {
                    throw new IOException(reply.text());
                }
            }
            return user;
        }
    }

    private String account(long user) {
        return path + "/accounts/u" + user;
    }

    byte[] draw(long user, long number) {
        return HttpConnection.post(lottery, account(user % users) + "/draws", "draw-" + number, "");
    }

    /** Returns a request for a draw that may wait in the queue. */
    byte[] queued(long user, long number) {
        return HttpConnection.post(lottery, account(user % users) + "/draws", "queued-" + number, "respond-async", "");
    }

    byte[] wheel(long user) {
        return HttpConnection.get(lottery, path + "/awards?userId=u" + user % users);
    }

    byte[] chances(long user) {
        return HttpConnection.get(lottery, account(user % users));
    }

    byte[] wins(long user) {
        return HttpConnection.get(lottery, account(user % users) + "/awards?limit=10");
    }

    String path() {
        return path;
    }

    long id() {
        return id;
    }
}
