package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
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
import java.util.function.Supplier;
import lottery.app.LotteryProcess.Reply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;

/** Tests one player on many connections, beside others who play normally, on two nodes with one Redis. */
@DisplayName("A player who asks as fast as the network goes")
class BlockedPlayerIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int CONNECTIONS = 64;
    private static final int OTHERS = 6;

    /** Long enough for all that is required while a player is blocked, on a slow machine too. */
    private static final int BLOCK_SECONDS = 40;

    /** Nodes tell each other each second. This is shorter than a block, which may not end by itself meanwhile. */
    private static final Duration TOLD_MAX = Duration.ofSeconds(20);

    /** Two draws a second: as fast as a person gets. */
    private static final Duration PAUSE_OF_OTHERS = Duration.ofMillis(500);

    /** At five a second. */
    private static final int DRAWS_ON_BOTH = 60;

    private static final int NUMBER = 790_001;
    private static final String ACTIVITY = "/api/v1/activities/" + NUMBER;
    private static final String FLOODER = "flooder";
    private static final String ORDER = "/api/v1/raffle-orders/order:00-00000000-0000-8000-8000-000000000000";

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
        environment.put("LOTTERY_LIMITS_PLAYER_BLOCK", BLOCK_SECONDS + "s");
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

    private static Reply require(int status, Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        return reply;
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

    private static Reply account(LotteryProcess node, String user) {
        return as(node, user, "player", HttpMethod.GET, account(user), null);
    }

    /** Asks on many connections until the lottery blocks the player. */
    private static void flood(Supplier<Reply> request) throws Exception {
        AtomicBoolean isBlocked = new AtomicBoolean();
        long endNanos = System.nanoTime() + SOON.toNanos();
        Crowd.calls(CONNECTIONS, CONNECTIONS, _ -> {
            while (!isBlocked.get() && System.nanoTime() < endNanos) {
                if (request.get().code().equals("PLAYER_BLOCKED")) {
                    isBlocked.set(true);
                }
            }
            return true;
        });
        assertThat(isBlocked).as("blocked after many refusals").isTrue();
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

    private static List<String> listed(LotteryProcess node) {
        return as(node, "dora", "desk", HttpMethod.GET, "/api/v1/bans?limit=100", null)
                .json()
                .path("items")
                .valueStream()
                .map(ban -> ban.path("userId").asString() + " " + ban.path("by").asString())
                .toList();
    }

    @Test
    @DisplayName("is blocked on all nodes for a while, is seen and let in again by the desk, and others notice nothing")
    void blocked() throws Exception {
        recharge(FLOODER);
        try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < OTHERS; i++) {
                String user = "calm-" + i;
                recharge(user);
                LotteryProcess node = i % 2 == 0 ? here : there;
                others.execute(() -> playUntilTheEnd(user, node));
            }
            try {
                flood(() -> draw(here, FLOODER));
                requireBlocked();
                lift();
                flood(() -> draw(here, FLOODER));
                awaitEndByItself();
                requireNobodyIsListed();
            } finally {
                ends.set(true);
            }
            others.shutdown();
            assertThat(others.awaitTermination(SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
        assertThat(wrong).isEmpty();
        System.out.printf("blocked: %d draws of %d others, all answered 201%n", drawsOfOthers.get(), OTHERS);
        assertThat(drawsOfOthers.get()).isGreaterThan(OTHERS * 10);
    }

    private static void requireBlocked() {
        Reply refused = require(429, account(here, FLOODER));
        assertThat(refused.code()).isEqualTo("PLAYER_BLOCKED");
        assertThat(Integer.parseInt(refused.headers().getFirst("Retry-After"))).isBetween(1, BLOCK_SECONDS);
        await("the other node knows")
                .atMost(TOLD_MAX)
                .until(() -> draw(there, FLOODER).code().equals("PLAYER_BLOCKED"));
        assertThat(listed(here)).contains(FLOODER + " LIMITER");
        assertThat(listed(there)).contains(FLOODER + " LIMITER");
        // Other trials may have left players who are blocked, and are let in again at any time.
        await("the gauge counts all who are listed")
                .atMost(TOLD_MAX)
                .untilAsserted(() -> assertThat(as(here, "mia", "metrics", HttpMethod.GET, "/actuator/prometheus", null)
                                .text())
                        .contains("lottery_players_blocked %d.0\n"
                                .formatted(listed(here).stream()
                                        .filter(ban -> ban.endsWith(" LIMITER"))
                                        .count())));
        // A front that acts for the player is none.
        require(
                201,
                new Patience()
                        .ask(() -> as(there, "shop", "front", HttpMethod.POST, account(FLOODER) + "/draws", null)));
    }

    private static void lift() throws IOException {
        Reply lifted =
                require(200, as(there, "dora", "desk", HttpMethod.DELETE, "/api/v1/users/" + FLOODER + "/ban", null));
        assertThat(lifted.json().path("banned").asBoolean(true)).isFalse();
        assertThat(there.output()).contains("dora has lifted the block of " + FLOODER + " by the limiter");
        require(200, new Patience().ask(() -> account(there, FLOODER)));
        await("this node knows")
                .atMost(TOLD_MAX)
                .until(() -> account(here, FLOODER).status() == 200);
        assertThat(listed(here)).doesNotContain(FLOODER + " LIMITER");
        require(404, as(there, "dora", "desk", HttpMethod.DELETE, "/api/v1/users/" + FLOODER + "/ban", null));
    }

    private static void awaitEndByItself() {
        require(429, account(here, FLOODER));
        await("the end of the block")
                .atMost(SOON)
                .until(() -> account(here, FLOODER).status() == 200
                        && account(there, FLOODER).status() == 200);
        require(201, new Patience().ask(() -> draw(here, FLOODER)));
        assertThat(listed(there)).doesNotContain(FLOODER + " LIMITER");
    }

    /** A token may have a subject that is too long for a user. He is blocked like others, and the list goes on. */
    private static void requireNobodyIsListed() throws Exception {
        String nobody = "n".repeat(65);
        flood(() -> as(here, nobody, "player", HttpMethod.POST, ORDER + "/draw", null));
        assertThat(listed(here)).doesNotContain(nobody + " LIMITER");
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
