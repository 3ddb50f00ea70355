package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import lottery.app.LotteryProcess.Reply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("Two nodes of a lottery with accounts of its own")
class IdentityIT {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String SESSION = "/api/v1/session";
    private static final String ACCOUNTS = "/api/v1/ops/accounts/";
    private static final String PASSWORD = "correct horse battery";

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final BlockingQueue<JsonNode> SENT_CODES = new LinkedBlockingQueue<>();

    private static HttpServer phones;
    private static TokenIssuer issuer;
    private static FaultyRedis redis;
    private static LotteryProcess here;
    private static LotteryProcess there;

    @BeforeAll
    static void open() throws Exception {
        phones = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        phones.createContext("/", exchange -> {
            SENT_CODES.add(JsonMapper.shared().readTree(exchange.getRequestBody()));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        phones.start();
        issuer = new TokenIssuer();
        redis = FaultyRedis.start(LotteryProcess.FOLDER.resolve("redis-of-sessions"));
        Map<String, String> environment = environment(redis);
        List<LotteryProcess> both = Crowd.calls(2, 2, _ -> LotteryProcess.open(environment));
        here = both.getFirst();
        there = both.getLast();
    }

    private static Map<String, String> environment(FaultyRedis redis) throws IOException {
        Map<String, String> environment = Servers.environmentOfIdentity(issuer);
        environment.put("LOTTERY_REDIS_URL", redis.url());
        environment.put(
                "LOTTERY_IDENTITY_PHONE_URL",
                "http://127.0.0.1:" + phones.getAddress().getPort() + "/codes");
        // All callers of these tests have one address.
        environment.put("LOTTERY_LIMITS_ADDRESS_REQUESTS", "0");
        return environment;
    }

    @AfterAll
    static void close() {
        Stream.of(here, there).filter(Objects::nonNull).forEach(LotteryProcess::close);
        redis.close();
        issuer.close();
        phones.stop(0);
    }

    /** A browser: it keeps its cookies, and sends the header that a page has to send. */
    private static final class Browser {

        private @Nullable String session;
        private @Nullable String token;
        private @Nullable String cookieToken;

        Reply ask(LotteryProcess node, HttpMethod method, String path, @Nullable String body) {
            List<String> headers = new ArrayList<>();
            String cookies = String.join("; ", cookies());
            if (!cookies.isEmpty()) {
                headers.addAll(List.of("Cookie", cookies));
            }
            if (token != null) {
                headers.addAll(List.of("X-XSRF-TOKEN", token));
            }
            Reply reply = node.ask(method, path, body, headers.toArray(String[]::new));
            for (String cookie : reply.headers().getOrDefault("Set-Cookie", List.of())) {
                String value = cookie.replaceFirst("^[^=]*=([^;]*).*", "$1");
                if (cookie.startsWith("lottery_session=")) {
                    session = value.isEmpty() ? null : value;
                } else if (cookie.startsWith("XSRF-TOKEN=")) {
                    token = value;
                    cookieToken = value;
                }
            }
            return reply;
        }

        private List<String> cookies() {
            List<String> cookies = new ArrayList<>();
            if (session != null) {
                cookies.add("lottery_session=" + session);
            }
            if (cookieToken != null) {
                cookies.add("XSRF-TOKEN=" + cookieToken);
            }
            return cookies;
        }

        Reply logIn(LotteryProcess node, String name, String password) {
            return ask(node, HttpMethod.POST, SESSION, """
                    {"name": "%s", "password": "%s"}""".formatted(name, password));
        }

        Reply who(LotteryProcess node) {
            return ask(node, HttpMethod.GET, SESSION, null);
        }

        static Browser of(String name) {
            Browser browser = new Browser();
            Reply reply = browser.logIn(here, name, PASSWORD);
            assertThat(reply.status()).as(reply.text()).isEqualTo(200);
            return browser;
        }
    }

    private static String fresh() {
        return "person-" + NUMBERS.incrementAndGet() + "-" + System.nanoTime();
    }

    private static String account(String... roles) {
        String name = fresh();
        Reply reply = put(name, PASSWORD, roles);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return name;
    }

    private static Reply put(String name, @Nullable String password, String... roles) {
        return asAdministrator(
                HttpMethod.PUT,
                ACCOUNTS + name,
                JsonMapper.shared()
                        .writeValueAsString(
                                password == null
                                        ? Map.of("roles", roles)
                                        : Map.of("roles", roles, "password", password)));
    }

    private static Reply asAdministrator(HttpMethod method, String path, @Nullable String body) {
        return here.ask(method, path, body, "Authorization", "Bearer " + issuer.token("root", "admin"));
    }

    @Test
    @DisplayName("A session that begins at one node goes on at the other, and its cookie is for servers only")
    void session() {
        String name = account("player");
        Browser browser = new Browser();
        Reply login = browser.logIn(here, name, PASSWORD);
        assertThat(login.json().path("name").asString()).isEqualTo(name);
        assertThat(login.headers().getOrDefault("Set-Cookie", List.of()))
                .filteredOn(cookie -> cookie.startsWith("lottery_session="))
                .singleElement()
                .asString()
                .contains("; HttpOnly", "; Secure", "; SameSite=Strict", "; Path=/", "; Max-Age=");
        assertThat(browser.who(there).json().path("name").asString()).isEqualTo(name);
        String credits = "/api/v1/users/%s/credits";
        assertThat(browser.ask(there, HttpMethod.GET, credits.formatted(name), null)
                        .status())
                .isEqualTo(200);
        assertThat(browser.ask(there, HttpMethod.GET, credits.formatted("ben"), null)
                        .status())
                .isEqualTo(404);

        assertThat(browser.ask(here, HttpMethod.DELETE, SESSION, null).status()).isEqualTo(204);
        assertThat(browser.who(there).status()).isEqualTo(401);
    }

    @Test
    @DisplayName("An answer that caches may share never has the cookie of a session")
    void sharedAnswers() {
        Browser browser = Browser.of(account("player"));
        Reply home = browser.ask(here, HttpMethod.GET, "/", null);
        assertThat(home.headers().get("Cache-Control")).singleElement(STRING).contains("no-cache", "private");
        String file = Pattern.compile("/pages/[0-9a-f]{16}/[a-z/-]+\\.js")
                .matcher(home.text())
                .results()
                .findFirst()
                .orElseThrow()
                .group();
        for (String address : List.of(file, file.replace("/pages/", "/%70ages/"))) {
            HttpHeaders headers =
                    browser.ask(here, HttpMethod.GET, address, null).headers();
            assertThat(headers.get("Cache-Control"))
                    .as(address)
                    .singleElement(STRING)
                    .contains("public");
            assertThat(headers.get("Set-Cookie")).as(address).isNull();
        }
        HttpHeaders list =
                browser.ask(here, HttpMethod.GET, "/api/v1/activities", null).headers();
        assertThat(list.get("Set-Cookie")).as("the session goes on").isNotEmpty();
        assertThat(list.get("Cache-Control")).containsExactly("private, no-cache");
    }

    @Test
    @DisplayName("A stolen id is worth nothing after the logout, and a made-up one never was")
    void ended() {
        Browser browser = Browser.of(account("player"));
        Browser thief = new Browser();
        thief.session = browser.session;
        assertThat(thief.who(there).status()).isEqualTo(200);
        browser.ask(here, HttpMethod.DELETE, SESSION, null);
        assertThat(thief.who(there).status()).isEqualTo(401);
        thief.session = "bm90aGluZw==";
        assertThat(thief.who(there).status()).isEqualTo(401);
    }

    @Test
    @DisplayName("A login gives another id than the one that the browser came with")
    void fixation() {
        String name = account("player");
        Browser browser = Browser.of(name);
        String before = browser.session;
        assertThat(browser.logIn(there, name, PASSWORD).status()).isEqualTo(200);
        assertThat(browser.session).isNotEqualTo(before);
        Browser other = new Browser();
        other.session = before;
        assertThat(other.who(here).status()).isEqualTo(401);
    }

    @Test
    @DisplayName("A change that comes by a session needs the header that another site cannot send")
    void crossSite() {
        Browser browser = Browser.of(account("operator"));
        String strategy = """
                {"strategyId": %d, "mode": "SINGLE",
                 "awards": [{"awardId": 1, "title": "Tea", "type": "TEXT", "rate": "1", "sort": 1}]}""".formatted(System.nanoTime());
        Browser elsewhere = new Browser();
        elsewhere.session = browser.session;
        Reply refused = elsewhere.ask(here, HttpMethod.POST, "/api/v1/strategies", strategy);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.code()).isEqualTo("FORBIDDEN");
        elsewhere.cookieToken = "planted";
        elsewhere.token = "another";
        assertThat(elsewhere
                        .ask(here, HttpMethod.POST, "/api/v1/strategies", strategy)
                        .status())
                .isEqualTo(403);
        elsewhere.token = null;
        assertThat(elsewhere
                        .ask(here, HttpMethod.DELETE, SESSION + "?_csrf=planted", null)
                        .status())
                .isEqualTo(403);
        Reply done = browser.ask(there, HttpMethod.POST, "/api/v1/strategies", strategy);
        assertThat(done.status()).as(done.text()).isEqualTo(201);
    }

    @Test
    @DisplayName("After five tries in vain the right password has to wait, also for guesses at the same time")
    void guesses() throws Exception {
        String name = account("player");
        List<Reply> replies = Crowd.calls(
                12, 6, i -> new Browser().logIn(i % 2 == 0 ? here : there, name, "wrong " + i + " password"));
        assertThat(replies).allMatch(reply -> reply.status() == 401 || reply.status() == 503);
        Reply right = new Browser().logIn(here, name, PASSWORD);
        assertThat(right.status()).isEqualTo(401);
        assertThat(right.code()).isEqualTo("LOGIN_FAILED");

        StoredFacts.execute("UPDATE identity_account SET next_try_at = now() - interval '1 second' WHERE name = '%s'"
                .formatted(name));
        assertThat(new Browser().logIn(there, name, PASSWORD).status()).isEqualTo(200);
        StoredFacts.execute("UPDATE identity_account SET failures = 1000 WHERE name = '%s'".formatted(name));
        assertThat(new Browser().logIn(here, name, "wrong after many").code()).isEqualTo("LOGIN_FAILED");
        assertThat(new Browser().logIn(here, name, PASSWORD).code()).isEqualTo("LOGIN_FAILED");
        StoredFacts.execute("UPDATE identity_account SET next_try_at = now() - interval '1 second' WHERE name = '%s'"
                .formatted(name));
        assertThat(new Browser().logIn(there, name, PASSWORD).status()).isEqualTo(200);
        Reply unknown = new Browser().logIn(here, fresh(), PASSWORD);
        assertThat(unknown.code()).isEqualTo("LOGIN_FAILED");
    }

    @Test
    @DisplayName("A lock ends the sessions of an account on each node within seconds, and says so to its owner only")
    void lock() {
        String name = account("desk");
        Browser browser = Browser.of(name);
        assertThat(browser.who(there).status()).isEqualTo(200);
        Reply locked = asAdministrator(HttpMethod.POST, ACCOUNTS + name + "/lock", """
                {"reason": "left us"}""");
        assertThat(locked.json().path("locked").asBoolean()).isTrue();
        Browser otherNode = new Browser();
        otherNode.session = browser.session;
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(otherNode.who(there).status()).isEqualTo(401));
        assertThat(browser.who(here).status()).isEqualTo(401);
        assertThat(new Browser().logIn(here, name, PASSWORD).code()).isEqualTo("ACCOUNT_LOCKED");
        assertThat(new Browser().logIn(here, name, "another password").code()).isEqualTo("LOGIN_FAILED");

        assertThat(asAdministrator(HttpMethod.DELETE, ACCOUNTS + name + "/lock", null)
                        .status())
                .isEqualTo(200);
        assertThat(new Browser().logIn(there, name, PASSWORD).status()).isEqualTo(200);
    }

    @Test
    @DisplayName("Other roles count within seconds, without another login")
    void otherRoles() {
        String name = account("desk");
        Browser browser = Browser.of(name);
        assertThat(browser.ask(there, HttpMethod.GET, "/api/v1/ops/decisions", null)
                        .status())
                .isEqualTo(200);
        assertThat(put(name, null, "operator").status()).isEqualTo(200);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(browser.ask(there, HttpMethod.GET, "/api/v1/ops/decisions", null)
                                .status())
                        .isEqualTo(403));
    }

    @Test
    @DisplayName("Another password ends all sessions but the one in which it was changed")
    void otherPassword() {
        String name = account("player");
        Browser browser = Browser.of(name);
        Browser other = Browser.of(name);
        assertThat(other.who(there).status()).isEqualTo(200);
        String change = """
                {"password": "%s", "newPassword": "%s"}""";
        assertThat(browser.ask(here, HttpMethod.POST, SESSION + "/password", change.formatted(PASSWORD, "short"))
                        .code())
                .isEqualTo("INVALID");
        assertThat(browser.ask(
                                here,
                                HttpMethod.POST,
                                SESSION + "/password",
                                change.formatted("a wrong password", "another horse battery"))
                        .code())
                .isEqualTo("LOGIN_FAILED");
        Reply changed = browser.ask(
                here, HttpMethod.POST, SESSION + "/password", change.formatted(PASSWORD, "another horse battery"));
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(browser.who(there).status()).isEqualTo(200);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(other.who(here).status()).isEqualTo(401));
        assertThat(new Browser().logIn(here, name, PASSWORD).status()).isEqualTo(401);
        assertThat(new Browser().logIn(there, name, "another horse battery").status())
                .isEqualTo(200);
    }

    @Test
    @DisplayName("A flushed Redis ends sessions, and nothing else")
    void flushed() throws Exception {
        String name = account("player");
        Browser browser = Browser.of(name);
        redis.flush();
        Reply reply = browser.who(here);
        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.code()).isEqualTo("UNAUTHENTICATED");
        browser.session = null;
        assertThat(browser.logIn(there, name, PASSWORD).status()).isEqualTo(200);
        assertThat(browser.who(here).status()).isEqualTo(200);
    }

    @Test
    @DisplayName("While Redis is away a session is answered 503, and a token as ever")
    void away() throws Exception {
        try (FaultyRedis ending = FaultyRedis.start(LotteryProcess.FOLDER.resolve("redis-that-ends"));
                LotteryProcess lottery = LotteryProcess.open(environment(ending))) {
            String name = account("player");
            Browser browser = new Browser();
            assertThat(browser.logIn(lottery, name, PASSWORD).status()).isEqualTo(200);
            ending.kill();
            Reply reply = browser.ask(lottery, HttpMethod.GET, "/api/v1/users/%s/credits".formatted(name), null);
            assertThat(reply.status()).as(reply.text()).isEqualTo(503);
            assertThat(reply.code()).isEqualTo("NOT_READY");
            assertThat(new Browser().logIn(lottery, name, PASSWORD).status()).isEqualTo(503);
            assertThat(lottery.ask(
                                    HttpMethod.GET,
                                    "/api/v1/users/%s/credits".formatted(name),
                                    null,
                                    "Authorization",
                                    "Bearer " + issuer.token(name, "player"))
                            .status())
                    .isEqualTo(200);
        }
    }

    private static Reply sendCode(String phone) {
        return new Browser().ask(here, HttpMethod.POST, SESSION + "/phone-codes", """
                {"phone": "%s"}""".formatted(phone));
    }

    private static Reply logInByPhone(Browser browser, LotteryProcess node, String phone, String code) {
        return browser.ask(node, HttpMethod.POST, SESSION + "/phone", """
                {"phone": "%s", "code": "%s"}""".formatted(phone, code));
    }

    private static String sentCode(String phone) throws InterruptedException {
        JsonNode sent = Objects.requireNonNull(SENT_CODES.poll(SOON.toSeconds(), TimeUnit.SECONDS), "no code was sent");
        assertThat(sent.path("phone").asString()).isEqualTo(phone);
        return sent.path("code").asString();
    }

    private static String freshPhone() {
        return "+86%011d".formatted(System.nanoTime() % 100_000_000_000L);
    }

    @Test
    @DisplayName("A code that was sent to a phone lets its player in, once, and the first time makes the account")
    void phone() throws Exception {
        String phone = freshPhone();
        assertThat(sendCode(phone).status()).isEqualTo(204);
        String code = sentCode(phone);
        assertThat(code).matches("[0-9]{6}");
        assertThat(sendCode(phone).code()).isEqualTo("RATE_LIMITED");
        Browser browser = new Browser();
        Reply login = logInByPhone(browser, there, phone, code);
        assertThat(login.status()).as(login.text()).isEqualTo(200);
        assertThat(login.json().path("roles").toString()).isEqualTo("[\"player\"]");
        assertThat(logInByPhone(new Browser(), here, phone, code).status()).isEqualTo(401);

        StoredFacts.execute("DELETE FROM identity_phone_code WHERE phone = '%s'".formatted(phone));
        assertThat(sendCode(phone).status()).isEqualTo(204);
        Reply again = logInByPhone(new Browser(), here, phone, sentCode(phone));
        assertThat(again.json().path("name")).isEqualTo(login.json().path("name"));
    }

    @Test
    @DisplayName("A code dies with five wrong ones, and after two minutes")
    void deadCodes() throws Exception {
        String phone = freshPhone();
        sendCode(phone);
        String code = sentCode(phone);
        String wrong = code.equals("000000") ? "000001" : "000000";
        for (int i = 0; i < 5; i++) {
            assertThat(logInByPhone(new Browser(), here, phone, wrong).code()).isEqualTo("LOGIN_FAILED");
        }
        assertThat(logInByPhone(new Browser(), here, phone, code).code()).isEqualTo("LOGIN_FAILED");

        String late = freshPhone();
        sendCode(late);
        String lateCode = sentCode(late);
        StoredFacts.execute("UPDATE identity_phone_code SET sent_at = now() - interval '121 seconds' WHERE phone = '%s'"
                .formatted(late));
        assertThat(logInByPhone(new Browser(), here, late, lateCode).code()).isEqualTo("LOGIN_FAILED");
    }

    @Test
    @DisplayName("An account that is changed without a phone keeps its phone, and so its player")
    void keepsItsPhone() throws Exception {
        String phone = freshPhone();
        sendCode(phone);
        String name = logInByPhone(new Browser(), here, phone, sentCode(phone))
                .json()
                .path("name")
                .asString();
        assertThat(put(name, PASSWORD, "player").status()).isEqualTo(200);
        StoredFacts.execute("DELETE FROM identity_phone_code WHERE phone = '%s'".formatted(phone));
        sendCode(phone);
        assertThat(logInByPhone(new Browser(), there, phone, sentCode(phone))
                        .json()
                        .path("name")
                        .asString())
                .isEqualTo(name);
    }

    private static Reply asDesk(String name, HttpMethod method, String path, @Nullable String body) {
        return here.ask(method, path, body, "Authorization", "Bearer " + issuer.token(name, "desk"));
    }

    @Test
    @DisplayName("A player of whom only a phone is kept can be forgotten, and is a stranger afterwards")
    void forgotten() throws Exception {
        String phone = freshPhone();
        sendCode(phone);
        Browser browser = new Browser();
        String name = logInByPhone(browser, here, phone, sentCode(phone))
                .json()
                .path("name")
                .asString();
        String person = "/api/v1/users/" + name + "/person";
        assertThat(asDesk("dora", HttpMethod.GET, person, null)
                        .json()
                        .path("phone")
                        .asString())
                .isEqualTo(phone);
        Reply proposed = asDesk("dora", HttpMethod.DELETE, person, "{\"reason\": \"asked for it\"}");
        assertThat(proposed.status()).as(proposed.text()).isEqualTo(202);
        Reply agreed = asDesk(
                "dan",
                HttpMethod.POST,
                "/api/v1/ops/proposals/" + proposed.json().path("proposalId").asString() + "/decision",
                "{\"decision\": \"AGREE\"}");
        assertThat(agreed.status()).as(agreed.text()).isEqualTo(200);

        assertThat(asDesk("dora", HttpMethod.GET, person, null).json().has("phone"))
                .isFalse();
        await().atMost(SOON).until(() -> browser.who(there).status() == 401);
        assertThat(asDesk("dora", HttpMethod.DELETE, person, "{\"reason\": \"again\"}")
                        .status())
                .isEqualTo(204);
        sendCode(phone);
        assertThat(logInByPhone(new Browser(), here, phone, sentCode(phone))
                        .json()
                        .path("name")
                        .asString())
                .isNotEqualTo(name);
    }

    @Test
    @DisplayName("A phone has twenty tries in vain a day, and ten codes")
    void triesOfADay() throws Exception {
        String phone = freshPhone();
        sendCode(phone);
        String code = sentCode(phone);
        StoredFacts.execute("UPDATE identity_phone_code SET failures = 20 WHERE phone = '%s'".formatted(phone));
        assertThat(logInByPhone(new Browser(), here, phone, code).code()).isEqualTo("LOGIN_FAILED");
        StoredFacts.execute(
                "UPDATE identity_phone_code SET failures = 0, sends = 10, sent_at = now() - interval '1 hour',"
                        + " day = current_date + 1 WHERE phone = '%s'".formatted(phone));
        assertThat(sendCode(phone).code()).isEqualTo("RATE_LIMITED");
    }

    private static Reply as(String administrator, HttpMethod method, String path, @Nullable String body) {
        return here.ask(method, path, body, "Authorization", "Bearer " + issuer.token(administrator, "admin"));
    }

    private static Reply agree(String administrator, Reply proposed) {
        assertThat(proposed.status()).as(proposed.text()).isEqualTo(202);
        return as(
                administrator,
                HttpMethod.POST,
                "/api/v1/ops/proposals/" + proposed.json().path("proposalId").asString() + "/decision",
                "{\"decision\": \"AGREE\"}");
    }

    @Test
    @DisplayName(
            "Where there are two administrators, one alone gives nobody of the staff an account, roles or a password")
    void twoAdministrators() {
        String approver = account("approver");
        String second = account("admin");
        try {
            String name = fresh();
            Reply proposed = put(name, PASSWORD, "operator");
            assertThat(proposed.json().path("reason").asString()).isEqualTo("ROLES_AND_PASSWORD: operator");
            assertThat(proposed.text()).doesNotContain(PASSWORD);
            assertThat(agree("root", proposed).status()).isEqualTo(403);
            assertThat(new Browser().logIn(here, name, PASSWORD).status()).isEqualTo(401);
            assertThat(agree("other", proposed).status()).isEqualTo(200);
            assertThat(agree("other", proposed).status()).as("again").isEqualTo(200);
            Browser.of(name);

            String stolen = "another password";
            Reply theft = put(approver, stolen, "player");
            assertThat(theft.status()).as(theft.text()).isEqualTo(202);
            assertThat(new Browser().logIn(here, approver, stolen).status()).isEqualTo(401);
            Browser.of(approver);
            assertThat(put(fresh(), PASSWORD, "player").status()).as("a player").isEqualTo(200);
        } finally {
            assertThat(agree("other", put(second, null, "player")).status()).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("The desk locks players only, and nobody the last administrator")
    void whoMayLock() {
        Browser desk = Browser.of(account("desk"));
        String lock = "{\"reason\": \"odd\"}";
        assertThat(desk.ask(here, HttpMethod.POST, ACCOUNTS + account("player") + "/lock", lock)
                        .status())
                .isEqualTo(200);
        assertThat(desk.ask(here, HttpMethod.POST, ACCOUNTS + account("approver") + "/lock", lock)
                        .status())
                .isEqualTo(403);
        assertThat(asAdministrator(HttpMethod.POST, ACCOUNTS + "admin/lock", lock)
                        .code())
                .isEqualTo("INVALID");
        assertThat(put("admin", null, "player").code()).isEqualTo("INVALID");
    }

    @Test
    @DisplayName("A session of which Redis has only a part is none, and does no harm")
    void partOfASession() {
        String name = account("player");
        Browser browser = Browser.of(name);
        String key = "lottery:sessions:sessions:"
                + new String(Base64.getDecoder().decode(Objects.requireNonNull(browser.session)), UTF_8);
        try (RedisClient client = RedisClient.create(redis.url());
                StatefulRedisConnection<String, String> connection = client.connect()) {
            assertThat(connection.sync().hdel(key, "creationTime")).isEqualTo(1);
        }
        assertThat(browser.who(there).status()).isEqualTo(401);
        assertThat(browser.logIn(here, name, PASSWORD).status()).isEqualTo(200);
    }

    @ParameterizedTest(name = "Nobody gets the roles {0}")
    @ValueSource(strings = {"king", "admin,operator", "fulfilment:", "fulfilment:a b", "desk:COUPON"})
    void noSuchRoles(String roles) {
        Reply reply = put(fresh(), PASSWORD, roles.split(",", -1));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.code()).isEqualTo("INVALID");
    }

    @Test
    @DisplayName("Each change of an account says who has made it, and no answer or log has a password")
    void changes() throws Exception {
        String name = account("fulfilment:COUPON", "fulfilment:CODE");
        Reply changes = asAdministrator(HttpMethod.GET, "/api/v1/ops/account-changes?limit=100", null);
        assertThat(changes.json().path("changes")).anySatisfy(change -> {
            assertThat(change.path("account").asString()).isEqualTo(name);
            assertThat(change.path("actor").asString()).isEqualTo("root");
            assertThat(change.path("traceId").asString()).isNotEmpty();
        });
        assertThat(changes.text()).doesNotContain(PASSWORD, "$2a$");
        assertThat(here.output() + there.output()).doesNotContain(PASSWORD, "$2a$");
        Reply accounts = asAdministrator(
                HttpMethod.GET, "/api/v1/ops/accounts?limit=1&cursor=" + name.substring(0, name.length() - 1), null);
        assertThat(accounts.json().path("accounts").path(0).path("name").asString())
                .isEqualTo(name);
        assertThat(accounts.text()).doesNotContain("$2a$");
    }

    @Test
    @DisplayName("An account is found by the beginning of its name, which is no pattern")
    void beginning() throws Exception {
        String name = account("player");
        List<String> found = namesFrom(name.substring(0, name.length() - 1));
        assertThat(found).contains(name).allMatch(each -> each.startsWith(name.substring(0, name.length() - 1)));
        assertThat(namesFrom(name)).startsWith(name);
        assertThat(namesFrom(name.substring(0, name.length() - 1) + "%25")).isEmpty();
        Reply page = asAdministrator(HttpMethod.GET, "/api/v1/ops/accounts?name=" + name + "&cursor=" + name, null);
        assertThat(page.text()).contains("\"accounts\":[]");
        for (String wrong : List.of("name=%00", "cursor=%00", "name=" + "n".repeat(201))) {
            assertThat(asAdministrator(HttpMethod.GET, "/api/v1/ops/accounts?" + wrong, null)
                            .status())
                    .as(wrong)
                    .isEqualTo(400);
        }
    }

    private static List<String> namesFrom(String beginning) {
        Reply accounts = asAdministrator(HttpMethod.GET, "/api/v1/ops/accounts?limit=100&name=" + beginning, null);
        return accounts.json()
                .path("accounts")
                .valueStream()
                .map(each -> each.path("name").asString())
                .toList();
    }

    @Test
    @DisplayName("The first administrator has the password of the setting, and can give accounts")
    void firstAdministrator() {
        Browser browser = new Browser();
        Reply login = browser.logIn(here, "admin", Servers.ADMIN_PASSWORD);
        assertThat(login.status()).as(login.text()).isEqualTo(200);
        Reply put = browser.ask(here, HttpMethod.PUT, ACCOUNTS + fresh(), """
                {"roles": ["approver"], "password": "%s"}""".formatted(PASSWORD));
        assertThat(put.status()).as(put.text()).isEqualTo(200);
    }

    private static HttpResponse<String> token(String credentials, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(here.address().resolve("/oauth2/token"))
                .timeout(SOON)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(UTF_8)))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    @DisplayName("Prometheus reads the metrics as its file says, with an account that has the role for them alone")
    void prometheus() throws Exception {
        Map<?, ?> file;
        try (Reader reader = Files.newBufferedReader(Path.of("../docs/monitoring/prometheus.yaml"))) {
            file = new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
        }
        Map<?, ?> lottery = (Map<?, ?>) ((List<?>) Objects.requireNonNull(file.get("scrape_configs"))).getFirst();
        Map<?, ?> oauth2 = ComposeEnvironment.in(lottery, "oauth2");
        assertThat(String.valueOf(oauth2.get("token_url"))).endsWith("/oauth2/token");
        String name = String.valueOf(oauth2.get("client_id"));
        assertThat(put(name, PASSWORD, "metrics").status()).isEqualTo(200);

        HttpResponse<String> given = token(name + ":" + PASSWORD, "grant_type=client_credentials");
        assertThat(given.statusCode()).as(given.body()).isEqualTo(200);
        String token = "Bearer "
                + JsonMapper.shared()
                        .readTree(given.body())
                        .path("access_token")
                        .asString();
        String path = String.valueOf(lottery.get("metrics_path"));
        Reply metrics = here.ask(HttpMethod.GET, path, null, "Authorization", token);
        assertThat(metrics.status()).isEqualTo(200);
        assertThat(metrics.text()).contains("lottery_log_events");
        assertThat(here.ask(HttpMethod.GET, "/api/v1/ops/projections", null, "Authorization", token)
                        .status())
                .isEqualTo(403);
    }

    @Test
    @DisplayName("A system gets a token for its account, which counts at each node and beside those of the issuer")
    void serviceToken() throws Exception {
        String name = account("payments");
        HttpResponse<String> given = token(name + ":" + PASSWORD, "grant_type=client_credentials");
        assertThat(given.statusCode()).as(given.body()).isEqualTo(200);
        JsonNode answer = JsonMapper.shared().readTree(given.body());
        assertThat(answer.path("expires_in").asInt()).isBetween(500, 600);
        String token = "Bearer " + answer.path("access_token").asString();
        for (LotteryProcess node : List.of(here, there)) {
            JsonNode who = node.ask(HttpMethod.GET, SESSION, null, "Authorization", token)
                    .json();
            assertThat(who.path("name").asString()).isEqualTo(name);
            assertThat(who.path("roles").toString()).isEqualTo("[\"payments\"]");
        }
        asAdministrator(HttpMethod.POST, ACCOUNTS + name + "/lock", """
                {"reason": "its password was seen"}""");
        for (LotteryProcess node : List.of(here, there)) {
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(node.ask(HttpMethod.GET, SESSION, null, "Authorization", token)
                                    .status())
                            .isEqualTo(401));
        }
        asAdministrator(HttpMethod.DELETE, ACCOUNTS + name + "/lock", null);
        String changed = token.substring(0, token.length() - 4) + "AAAA";
        assertThat(here.ask(HttpMethod.GET, SESSION, null, "Authorization", changed)
                        .status())
                .isEqualTo(401);
        for (String refused : List.of(name + ":wrong password", fresh() + ":" + PASSWORD)) {
            assertThat(token(refused, "grant_type=client_credentials").statusCode())
                    .as(refused)
                    .isEqualTo(401);
        }
        assertThat(token(name + ":" + PASSWORD, "grant_type=password").statusCode())
                .isEqualTo(400);
    }

    @Test
    @DisplayName("Accounts are refused where a gateway decides")
    void gateway() throws Exception {
        Map<String, String> environment = Servers.environmentOfTrial();
        environment.put("LOTTERY_IDENTITY", "true");
        LotteryProcess lottery = LotteryProcess.failing(environment);
        assertThat(lottery.output()).contains("LOTTERY_IDENTITY is true, and LOTTERY_AUTH is gateway");
    }
}
