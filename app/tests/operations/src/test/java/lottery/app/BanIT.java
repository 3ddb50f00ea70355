package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.app.LotteryProcess.Reply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;

@Tag("turn-2")
@DisplayName("A ban by the desk")
class BanIT {

    /** Longer than the five seconds that are promised: the machine may be slow. */
    private static final Duration SOON = Duration.ofSeconds(20);

    private static final AtomicInteger NUMBERS = new AtomicInteger(760_000);

    private static TokenIssuer issuer;
    private static LotteryProcess here;
    private static LotteryProcess there;

    @BeforeAll
    static void open() throws Exception {
        issuer = new TokenIssuer();
        List<LotteryProcess> both = Crowd.calls(2, 2, _ -> LotteryProcess.open(Servers.environmentOfIdentity(issuer)));
        here = both.getFirst();
        there = both.getLast();
    }

    @AfterAll
    static void close() {
        here.close();
        there.close();
        issuer.close();
    }

    private static Reply as(
            LotteryProcess node, String name, String role, HttpMethod method, String path, @Nullable String body) {
        List<String> headers = new ArrayList<>(List.of("Authorization", "Bearer " + issuer.token(name, role)));
        if (method.equals(HttpMethod.POST)) {
            headers.addAll(List.of("Idempotency-Key", UUID.randomUUID().toString()));
        }
        return node.ask(method, path, body, headers.toArray(String[]::new));
    }

    private static Reply require(int status, Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        return reply;
    }

    private static void transit(int activity, String name, String role, String action) {
        String body = "{\"action\": \"%s\"}".formatted(action);
        await().atMost(SOON).until(() -> {
            Reply reply =
                    as(here, name, role, HttpMethod.POST, "/api/v1/activities/" + activity + "/transitions", body);
            return reply.status() == 200
                    || (action.equals("start") && reply.code().equals("ACTIVITY_STATE"));
        });
    }

    /** Opens an activity with chances for this user, and returns the address of his account. */
    private static String account(String user) {
        int number = NUMBERS.incrementAndGet();
        require(201, as(here, "olga", "operator", HttpMethod.POST, "/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE",
                 "awards": [{"awardId": 1, "title": "Tea", "type": "TEXT", "rate": "1", "sort": 1}]}""".formatted(number)));
        require(201, as(here, "olga", "operator", HttpMethod.POST, "/api/v1/activities", """
                {"activityId": %d, "name": "Tea", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d,
                 "skus": [{"sku": 1, "total": 900, "month": 900, "day": 900}]}""".formatted(
                        number, number)));
        transit(number, "olga", "operator", "submit");
        transit(number, "paul", "approver", "pass");
        transit(number, "olga", "operator", "start");
        String account = "/api/v1/activities/%d/accounts/%s".formatted(number, user);
        require(201, as(here, "shop", "front", HttpMethod.POST, account + "/recharges", """
                {"sku": 1, "outBusinessNo": "ban-%d"}""".formatted(number)));
        return account;
    }

    private static Reply ban(LotteryProcess node, String user) {
        return as(node, "dora", "desk", HttpMethod.POST, "/api/v1/users/" + user + "/ban", """
                {"reason": "Many accounts"}""");
    }

    private static Reply lift(LotteryProcess node, String user) {
        return as(node, "dora", "desk", HttpMethod.DELETE, "/api/v1/users/" + user + "/ban", null);
    }

    private static Reply draw(LotteryProcess node, String name, String role, String account) {
        return as(node, name, role, HttpMethod.POST, account + "/draws", null);
    }

    @Test
    @DisplayName("It holds for player and front on both nodes, outlives a crash, ends when lifted, and is in the audit")
    void banned() throws Exception {
        String user = "banned-" + NUMBERS.incrementAndGet();
        String account = account(user);
        require(201, draw(there, user, "player", account));
        require(403, as(here, user, "player", HttpMethod.POST, "/api/v1/users/" + user + "/ban", """
                {"reason": "I am tired"}"""));

        require(201, ban(here, user));
        assertThat(draw(here, user, "player", account).code()).isEqualTo("USER_BANNED");
        assertThat(draw(here, "shop", "front", account).code()).isEqualTo("USER_BANNED");
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(draw(there, "shop", "front", account).code()).isEqualTo("USER_BANNED"));

        there.kill();
        there = LotteryProcess.open(Servers.environmentOfIdentity(issuer));
        assertThat(draw(there, user, "player", account).code()).isEqualTo("USER_BANNED");

        require(200, lift(there, user));
        require(201, draw(there, user, "player", account));
        await().atMost(SOON).until(() -> draw(here, "shop", "front", account).status() == 201);

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(decisionsAbout(user))
                        .containsExactly("dora desk user.ban-lifted", "dora desk user.banned"));
        StoredFacts.awaitSound();
    }

    private static List<String> decisionsAbout(String user) {
        return as(here, "alan", "auditor", HttpMethod.GET, "/api/v1/ops/audit?actor=dora", null)
                .json()
                .path("entries")
                .valueStream()
                .filter(entry -> entry.path("subject").asString().endsWith(":" + user))
                .map(entry -> "%s %s %s"
                        .formatted(
                                entry.path("actor").asString(),
                                entry.path("role").asString(),
                                entry.path("type").asString()))
                .toList();
    }
}
