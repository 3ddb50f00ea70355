package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import lottery.app.LotteryProcess.Reply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;

/** Tests one player on many connections, beside others who play normally, on two nodes with one Redis. */
@Tag("turn-3")
@DisplayName("A player who asks as fast as the network goes")
class PlayerLimitIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int CONNECTIONS = 64;
    private static final int OTHERS = 6;
    private static final int DRAWS_OF_OTHERS = OTHERS * 10;

    /** Two draws a second: as fast as a person gets. */
    private static final Duration PAUSE_OF_OTHERS = Duration.ofMillis(500);

    /** The rate of a player, and how many draws he may make at once. */
    private static final int PER_SECOND = 5;

    private static final int AT_ONCE = 2 * PER_SECOND;

    /** At five a second. */
    private static final int DRAWS_ON_BOTH = 60;

    private static final int NUMBER = 790_001;
    private static final String ACTIVITY = "/api/v1/activities/" + NUMBER;
    private static final String FLOODER = "flooder";

    private static TokenIssuer issuer;
    private static LotteryProcess here;
    private static LotteryProcess there;

    private final AtomicBoolean ends = new AtomicBoolean();
    private final AtomicInteger drawsOfOthers = new AtomicInteger();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void open() throws Exception {
        issuer = new TokenIssuer();
        Map<String, String> environment = new HashMap<>(Servers.environmentOfIdentity(issuer));
        // Each player has an address of his own, which a load balancer tells.
        environment.put("LOTTERY_FORWARDED", "native");
        List<LotteryProcess> both = Crowd.calls(2, 2, _ -> LotteryProcess.open(environment));
        here = both.getFirst();
        there = both.getLast();
        openActivity();
    }

    @AfterAll
    static void close() {
        here.close();
        there.close();
        issuer.close();
    }

    private static Reply as(
            LotteryProcess node, String name, String role, HttpMethod method, String path, @Nullable String body) {
        List<String> headers = new ArrayList<>(List.of(
                "Authorization",
                "Bearer " + issuer.token(name, role),
                "X-Forwarded-For",
                "203.0.113." + Math.floorMod(name.hashCode(), 250)));
        if (method.equals(HttpMethod.POST)) {
            headers.addAll(List.of("Idempotency-Key", UUID.randomUUID().toString()));
        }
        return node.ask(method, path, body, headers.toArray(String[]::new));
    }

    private static void transit(String name, String role, String action) {
        String body = "{\"action\": \"%s\"}".formatted(action);
        await().atMost(SOON).until(() -> {
            Reply reply = as(here, name, role, HttpMethod.POST, ACTIVITY + "/transitions", body);
            return reply.status() == 200
                    || (action.equals("start") && reply.code().equals("ACTIVITY_STATE"));
        });
    }

    private static void openActivity() {
        Patience.created(
                () -> as(here, "olga", "operator", HttpMethod.POST, "/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE",
                 "awards": [{"awardId": 1, "title": "Tea", "type": "TEXT", "rate": "1", "sort": 1}]}""".formatted(NUMBER)));
        Patience.created(() ->
                as(here, "olga", "operator", HttpMethod.POST, "/api/v1/activities", """
                {"activityId": %d, "name": "Tea", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d,
                 "skus": [{"sku": 1, "total": 9000, "month": 9000, "day": 9000}]}""".formatted(NUMBER, NUMBER)));
        transit("olga", "operator", "submit");
        transit("paul", "approver", "pass");
        transit("olga", "operator", "start");
    }

    private static void recharge(String user) {
        Patience.created(
                () -> as(here, "shop", "front", HttpMethod.POST, account(user) + "/recharges", """
                {"sku": 1, "outBusinessNo": "block-%s"}""".formatted(user)));
    }

    private static String account(String user) {
        return ACTIVITY + "/accounts/" + user;
    }

    private static Reply draw(LotteryProcess node, String user) {
        return as(node, user, "player", HttpMethod.POST, account(user) + "/draws", null);
    }

    /** Draws on many connections, until the others have drawn often, and returns how many draws were made. */
    private int flood() throws Exception {
        AtomicInteger draws = new AtomicInteger();
        long endNanos = System.nanoTime() + SOON.toNanos();
        Crowd.calls(CONNECTIONS, CONNECTIONS, _ -> {
            while (drawsOfOthers.get() <= DRAWS_OF_OTHERS && System.nanoTime() < endNanos) {
                Reply reply = draw(here, FLOODER);
                if (reply.status() == 201) {
                    draws.incrementAndGet();
                } else if (reply.status() != 503) {
                    assertThat(reply.code()).isEqualTo("RATE_LIMITED");
                    assertThat(reply.headers().getFirst("Retry-After")).isEqualTo("1");
                }
            }
            return true;
        });
        return draws.get();
    }

    private void playUntilTheEnd(String user, LotteryProcess node) {
        while (!ends.get()) {
            // A machine that has much to do may also answer 503, to whomever asks.
            Reply reply = new Patience().ask(() -> draw(node, user));
            if (reply.status() == 201) {
                drawsOfOthers.incrementAndGet();
            } else {
                wrong.add(user + ": " + reply.text());
            }
            LockSupport.parkNanos(PAUSE_OF_OTHERS.toNanos());
        }
    }

    @Test
    @DisplayName("gets his rate and no more, and others notice nothing")
    void flooded() throws Exception {
        recharge(FLOODER);
        int draws;
        double seconds;
        try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < OTHERS; i++) {
                String user = "calm-" + i;
                recharge(user);
                LotteryProcess node = i % 2 == 0 ? here : there;
                others.execute(() -> playUntilTheEnd(user, node));
            }
            long begunNanos = System.nanoTime();
            try {
                draws = flood();
                seconds = (System.nanoTime() - begunNanos) / 1e9;
            } finally {
                ends.set(true);
            }
            others.shutdown();
            assertThat(others.awaitTermination(SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
        assertThat(wrong).isEmpty();
        System.out.printf(
                "in %.1f s: %d draws of the flooder, and %d of %d others, all answered 201%n",
                seconds, draws, drawsOfOthers.get(), OTHERS);
        assertThat(drawsOfOthers.get()).isGreaterThan(DRAWS_OF_OTHERS);
        assertThat((double) draws).isBetween(AT_ONCE * 1.0, AT_ONCE + PER_SECOND * (seconds + 1));
        // A front that acts for the player is none.
        Patience.created(() -> as(there, "shop", "front", HttpMethod.POST, account(FLOODER) + "/draws", null));
    }

    @Test
    @DisplayName("has no more draws a second on two nodes than on one")
    void onBothNodes() throws Exception {
        String user = "twofold";
        recharge(user);
        Queue<String> refusals = new ConcurrentLinkedQueue<>();
        double seconds = 0;
        // Where answers are slow, only many callers come to the limit.
        for (int callers = 4; refusals.isEmpty() && callers <= CONNECTIONS; callers *= 4) {
            seconds = drawOnBoth(user, callers, refusals);
        }
        assertThat(refusals).isNotEmpty().containsOnly("RATE_LIMITED");
        // Each node gives ten at once, and five a second until it knows of the other one. The rest comes at the rate of
        // one node. A rate on each node would need 4 seconds.
        assertThat(seconds).isGreaterThan(6);
    }

    /** Draws at both nodes, collects the codes of the refusals, and returns how many seconds it took. */
    private static double drawOnBoth(String user, int callers, Queue<String> refusals) throws Exception {
        AtomicInteger draws = new AtomicInteger();
        Patience patience = new Patience();
        AtomicBoolean isDone = new AtomicBoolean();
        long begunNanos = System.nanoTime();
        Crowd.calls(callers, callers, i -> {
            while (!isDone.get()) {
                // A machine that has much to do may also answer 503, to whomever asks.
                Reply reply = patience.ask(() -> draw(i % 2 == 0 ? here : there, user));
                if (reply.status() == 201) {
                    isDone.compareAndSet(false, draws.incrementAndGet() >= DRAWS_ON_BOTH);
                } else {
                    refusals.add(reply.code());
                    // Not so fast that the limiter blocks him.
                    LockSupport.parkNanos(PAUSE_OF_OTHERS.toNanos());
                }
            }
            return true;
        });
        double seconds = (System.nanoTime() - begunNanos) / 1e9;
        System.out.printf(
                "on two nodes: %d draws of %d callers in %.1f s, %d times busy%n",
                draws.get(), callers, seconds, patience.busy());
        return seconds;
    }

    @Test
    @DisplayName("An address that brings code after code for tokens is refused before any of them is looked up")
    void codesOfStrangers() throws Exception {
        HttpRequest guess = HttpRequest.newBuilder(URI.create(here.address() + "/oauth2/token"))
                .timeout(SOON)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("X-Forwarded-For", "203.0.113.77")
                .POST(BodyPublishers.ofString(
                        "grant_type=authorization_code&client_id=app&code=guessed&code_verifier=" + "v".repeat(43)))
                .build();
        try (HttpClient stranger = HttpClient.newHttpClient()) {
            List<Integer> answers = Crowd.calls(
                    1_000,
                    40,
                    _ -> stranger.send(guess, BodyHandlers.discarding()).statusCode());
            assertThat(answers).contains(429).allMatch(status -> status >= 400 && status < 500);
        }
    }
}
