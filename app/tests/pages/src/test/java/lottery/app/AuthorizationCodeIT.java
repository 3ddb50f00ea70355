package lottery.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static lottery.app.BrowserPage.awaitPage;
import static lottery.app.BrowserPage.click;
import static lottery.app.BrowserPage.find;
import static lottery.app.BrowserPage.type;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.URLEncoder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import lottery.app.LotteryProcess.Reply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.chrome.ChromeDriver;
import org.springframework.http.HttpMethod;
import org.springframework.web.util.UriComponentsBuilder;

@DisplayName("An application that lets its users log in at the lottery")
class AuthorizationCodeIT {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String PASSWORD = "correct horse battery";
    private static final String AUTHORIZE = "/oauth2/authorize";
    private static final String TOKEN = "/oauth2/token";
    private static final String BACK = "https://app.example/back";
    private static final String OTHER_BACK = "https://app.example/other";
    private static final String VERIFIER = "a-verifier-of-43-characters-or-more-0123456789";

    private static final Duration BETWEEN_CODES = Duration.ofMillis(100);
    private static final int CODES_OF_EACH = 25;

    private static final AtomicInteger NUMBERS = new AtomicInteger(795_000);

    private static TokenIssuer issuer;
    private static LotteryProcess lottery;

    @BeforeAll
    static void open() throws Exception {
        issuer = new TokenIssuer();
        Map<String, String> environment = Servers.environmentOfIdentity(issuer);
        environment.put("LOTTERY_LIMITS_ADDRESS_REQUESTS", "0");
        environment.put("LOTTERY_IDENTITY_CLIENTS_APP", BACK + ", " + OTHER_BACK + ",http://127.0.0.1/back");
        environment.put("LOTTERY_IDENTITY_CLIENTS_RIVAL", BACK);
        lottery = LotteryProcess.open(environment);
        BrowserPage.warmUp(lottery.address().toString(), player(), PASSWORD);
    }

    @AfterAll
    static void close() {
        lottery.close();
        issuer.close();
    }

    private static Reply as(String name, String role, HttpMethod method, String path, @Nullable String body) {
        Reply reply = new Patience()
                .ask(() -> lottery.ask(method, path, body, "Authorization", "Bearer " + issuer.token(name, role)));
        assertThat(reply.status()).as(reply.text()).isBetween(200, 299);
        return reply;
    }

    private static String player() {
        String name = "user-" + NUMBERS.incrementAndGet();
        account(name, "player");
        return name;
    }

    private static void account(String name, String role) {
        as("root", "admin", HttpMethod.PUT, "/api/v1/ops/accounts/" + name, """
                {"roles": ["%s"], "password": "%s"}""".formatted(role, PASSWORD));
    }

    /** Opens an activity with free chances. */
    private static int activity() {
        int number = NUMBERS.incrementAndGet();
        as("olga", "operator", HttpMethod.POST, "/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE",
                 "awards": [{"awardId": 1, "title": "Tea", "type": "TEXT", "rate": "1", "sort": 1}]}""".formatted(number));
        as("olga", "operator", HttpMethod.POST, "/api/v1/activities", """
                {"activityId": %d, "name": "Tea", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d,
                 "free": {"total": 5, "month": 5, "day": 5}, "skus": []}""".formatted(number, number));
        String transitions = "/api/v1/activities/" + number + "/transitions";
        as("olga", "operator", HttpMethod.POST, transitions, "{\"action\": \"submit\"}");
        as("paul", "approver", HttpMethod.POST, transitions, "{\"action\": \"pass\"}");
        await().atMost(SOON)
                .until(() -> lottery.get("/api/v1/activities/" + number)
                        .json()
                        .path("state")
                        .asString()
                        .equals("DOING"));
        return number;
    }

    /** Logs in as the page does, and returns the cookie of the session. */
    private static String session(String name) {
        Reply login = lottery.ask(HttpMethod.POST, "/api/v1/session", """
                {"name": "%s", "password": "%s"}""".formatted(name, PASSWORD));
        assertThat(login.status()).as(login.text()).isEqualTo(200);
        return login.headers().getOrDefault("Set-Cookie", List.of()).stream()
                .filter(cookie -> cookie.startsWith("lottery_session="))
                .map(cookie -> cookie.replaceFirst(";.*", ""))
                .findFirst()
                .orElseThrow();
    }

    private static String challenge(String verifier) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the parameters with which an application sends its user, with changes; an empty one is left out. */
    private static Map<String, String> request(String... changes) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("response_type", "code");
        parameters.put("client_id", "app");
        parameters.put("redirect_uri", BACK);
        parameters.put("state", "s 1&2");
        parameters.put("code_challenge", challenge(VERIFIER));
        parameters.put("code_challenge_method", "S256");
        return changed(parameters, changes);
    }

    private static Map<String, String> changed(Map<String, String> parameters, String... changes) {
        for (int i = 0; i < changes.length; i += 2) {
            parameters.put(changes[i], changes[i + 1]);
        }
        parameters.values().removeIf(String::isEmpty);
        return parameters;
    }

    private static String form(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), UTF_8))
                .collect(Collectors.joining("&"));
    }

    private static Reply authorize(@Nullable String session, String... changes) {
        String path = AUTHORIZE + "?" + form(request(changes));
        return session == null
                ? lottery.ask(HttpMethod.GET, path, null)
                : lottery.ask(HttpMethod.GET, path, null, "Cookie", session);
    }

    private static Map<String, String> sentBack(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(302);
        return parameters(Objects.requireNonNull(reply.headers().getFirst("Location")));
    }

    private static Map<String, String> parameters(String address) {
        return UriComponentsBuilder.fromUriString(address)
                .build()
                .getQueryParams()
                .toSingleValueMap();
    }

    private static String code(String session, String... changes) {
        return Objects.requireNonNull(sentBack(authorize(session, changes)).get("code"));
    }

    private static Reply redeem(String code, String... changes) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("grant_type", "authorization_code");
        parameters.put("client_id", "app");
        parameters.put("redirect_uri", BACK);
        parameters.put("code", code);
        parameters.put("code_verifier", VERIFIER);
        return post(changed(parameters, changes));
    }

    private static Reply post(Map<String, String> parameters, String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        all.addAll(List.of("Content-Type", "application/x-www-form-urlencoded"));
        return lottery.ask(HttpMethod.POST, TOKEN, form(parameters), all.toArray(String[]::new));
    }

    private static void requireRefused(Reply reply, String error) {
        assertThat(reply.status()).as(reply.text()).isIn(400, 401);
        assertThat(reply.json().path("error").asString()).as(reply.text()).isEqualTo(error);
        assertThat(reply.text()).doesNotContain("access_token");
    }

    private static Reply draw(int activity, String user, String token) {
        return lottery.ask(
                HttpMethod.POST,
                "/api/v1/activities/%d/accounts/%s/draws".formatted(activity, user),
                null,
                "Authorization",
                "Bearer " + token,
                "Idempotency-Key",
                UUID.randomUUID().toString());
    }

    @Test
    @DisplayName("gets a code for its user's session, and for it a token that draws for that user and for nobody else")
    void wholeWay() {
        int activity = activity();
        String ann = player();
        Reply answer = authorize(session(ann));
        assertThat(answer.headers().getFirst("Location")).startsWith(BACK + "?");
        assertThat(sentBack(answer)).containsEntry("state", "s%201%262").containsKey("code");

        Reply given = redeem(Objects.requireNonNull(sentBack(answer).get("code")));
        assertThat(given.status()).as(given.text()).isEqualTo(200);
        assertThat(given.json().path("token_type").asString()).isEqualTo("Bearer");
        assertThat(given.json().path("expires_in").asInt()).isBetween(500, 600);
        assertThat(given.json().has("refresh_token")).isFalse();
        String token = given.json().path("access_token").asString();

        Reply who = lottery.ask(HttpMethod.GET, "/api/v1/session", null, "Authorization", "Bearer " + token);
        assertThat(who.json().path("name").asString()).isEqualTo(ann);
        assertThat(who.json().path("roles").toString()).isEqualTo("[\"player\"]");
        Reply drawn = draw(activity, ann, token);
        assertThat(drawn.status()).as(drawn.text()).isEqualTo(201);
        assertThat(draw(activity, player(), token).status()).isEqualTo(404);
        assertThat(lottery.ask(HttpMethod.GET, "/api/v1/ops/audit", null, "Authorization", "Bearer " + token)
                        .status())
                .isEqualTo(403);
    }

    @Test
    @DisplayName("sends a user without a session to the page for players, with the whole request")
    void withoutSession() {
        Reply answer = authorize(null);
        String login = answer.headers().getFirst("Location");
        assertThat(login).startsWith("/?continue=");
        assertThat(sentBack(answer))
                .containsExactly(Map.entry("continue", URLEncoder.encode(AUTHORIZE + "?" + form(request()), UTF_8)));
        assertThat(sentBack(authorize("lottery_session=made-up"))).containsOnlyKeys("continue");
    }

    @ParameterizedTest
    @CsvSource({
        "redirect_uri,https://app.example/back/",
        "redirect_uri,https://app.example/back?more=1",
        "redirect_uri,https://app.example.evil/back",
        "redirect_uri,http://127.0.0.1.evil/back",
        "redirect_uri,''",
        "client_id,stranger",
        "client_id,''"
    })
    @DisplayName("is sent nothing at an address that is not its own, whether its user has logged in or not")
    void wrongAddress(String parameter, String value) {
        for (String session : new String[] {null, session(player())}) {
            Reply answer = authorize(session, parameter, value);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.headers().getFirst("Location")).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "code_challenge,''",
        "code_challenge_method,''",
        "code_challenge_method,plain",
        "response_type,token",
        "scope,openid"
    })
    @DisplayName("gets no code without a challenge of its own, made by SHA-256, or for anything but a code")
    void wrongChallenge(String parameter, String value) {
        Reply answer = authorize(session(player()), parameter, value);
        if (answer.status() == 302) {
            assertThat(sentBack(answer)).containsKey("error").doesNotContainKey("code");
            assertThat(answer.headers().getFirst("Location")).startsWith(BACK + "?");
        } else {
            assertThat(answer.status()).isEqualTo(400);
        }
    }

    @Test
    @DisplayName("gets a token for a code once, with the verifier and the address of the request")
    void wrongCode() {
        String session = session(player());
        requireRefused(redeem("made-up"), "invalid_grant");
        requireRefused(redeem(code(session), "code_verifier", VERIFIER + "0"), "invalid_grant");
        requireRefused(redeem(code(session), "code_verifier", challenge(VERIFIER)), "invalid_grant");
        assertThat(redeem(code(session), "code_verifier", "").status()).isEqualTo(401);
        requireRefused(redeem(code(session), "redirect_uri", OTHER_BACK), "invalid_grant");
        requireRefused(redeem(code(session), "redirect_uri", ""), "invalid_grant");
        requireRefused(redeem(code(session), "client_id", "rival"), "invalid_grant");
        requireRefused(redeem(code(session), "client_id", "stranger"), "invalid_client");

        String code = code(session);
        assertThat(redeem(code).status()).isEqualTo(200);
        requireRefused(redeem(code), "invalid_grant");
    }

    @Test
    @DisplayName("gets one token for a code that it brings many times at once")
    void atOnce() throws Exception {
        String code = code(session(player()));
        List<Reply> replies = Crowd.calls(16, 16, _ -> redeem(code));
        assertThat(replies).extracting(Reply::status).containsOnlyOnce(200);
        assertThat(replies)
                .filteredOn(reply -> reply.status() != 200)
                .allSatisfy(reply -> requireRefused(reply, "invalid_grant"));
    }

    @Test
    @DisplayName("gets nothing for an account that was locked after its code, and its token ends with the lock")
    void locked() {
        String ann = player();
        String session = session(ann);
        String token = redeem(code(session)).json().path("access_token").asString();
        String code = code(session);
        as(
                "root",
                "admin",
                HttpMethod.POST,
                "/api/v1/ops/accounts/" + ann + "/lock",
                "{\"reason\": \"A lost telephone\"}");

        requireRefused(redeem(code), "invalid_grant");
        assertThat(sentBack(authorize(session))).containsOnlyKeys("continue");
        assertThat(lottery.ask(HttpMethod.GET, "/api/v1/session", null, "Authorization", "Bearer " + token)
                        .status())
                .isEqualTo(401);
    }

    @Test
    @DisplayName("gets nothing for a session that another password has ended, not even while its code was made")
    void otherPassword() throws Exception {
        AtomicBoolean wasMadeMeanwhile = new AtomicBoolean();
        for (int round = 0; round < 10; round++) {
            String ann = player();
            String session = session(ann);
            AtomicBoolean isChanged = new AtomicBoolean();
            AtomicBoolean hasCode = new AtomicBoolean();
            List<List<String>> codes = Crowd.calls(3, 3, caller -> {
                if (caller > 0) {
                    List<String> made = codesUntil(isChanged, hasCode, session);
                    if (made.size() < CODES_OF_EACH) {
                        wasMadeMeanwhile.set(true);
                    }
                    return made;
                }
                await().atMost(SOON).until(hasCode::get);
                account(ann, "player");
                isChanged.set(true);
                return List.of();
            });
            assertThat(codes.stream().flatMap(List::stream))
                    .isNotEmpty()
                    .allSatisfy(code -> requireRefused(redeem(code), "invalid_grant"));
        }
        assertThat(wasMadeMeanwhile).as("codes were asked for until the change").isTrue();
    }

    /** Asks for codes with pauses, and so seldom that two callers do not come to the limit of sixty codes. */
    private static List<String> codesUntil(AtomicBoolean isOver, AtomicBoolean hasCode, String session)
            throws InterruptedException {
        List<String> codes = new ArrayList<>();
        for (int i = 0; i < CODES_OF_EACH && !isOver.get(); i++) {
            Map<String, String> answer = sentBack(authorize(session));
            assertThat(answer).as("the limit of codes").doesNotContainKey("error");
            String code = answer.get("code");
            if (code != null) {
                codes.add(code);
                hasCode.set(true);
            }
            Thread.sleep(BETWEEN_CODES);
        }
        return codes;
    }

    @Test
    @DisplayName("gets sixty codes a minute for one user, then errors even without an address, while other users go on")
    void codesPerMinute() throws Exception {
        String session = session(player());
        long begun = System.nanoTime();
        List<Map<String, String>> answers = Crowd.calls(
                120,
                8,
                caller -> sentBack(
                        caller % 2 == 0
                                ? authorize(session)
                                : authorize(session, "client_id", "rival", "redirect_uri", "")));
        int refilled = 1 + (int) Duration.ofNanos(System.nanoTime() - begun).toSeconds();

        assertThat(answers.stream().filter(answer -> answer.containsKey("code")))
                .hasSizeBetween(60, 60 + refilled);
        assertThat(answers)
                .filteredOn(answer -> !answer.containsKey("code"))
                .allSatisfy(answer -> assertThat(answer)
                        .containsEntry("error", "temporarily_unavailable")
                        .containsEntry("state", "s%201%262"));
        assertThat(code(session(player()))).isNotEmpty();
    }

    @Test
    @DisplayName("is nobody else: an account with its name and a password gets no token for its codes")
    void accountOfThatName() {
        account("app", "payments");
        String code = code(session(player()));
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("grant_type", "authorization_code");
        parameters.put("redirect_uri", BACK);
        parameters.put("code", code);
        String basic = "Basic " + Base64.getEncoder().encodeToString(("app:" + PASSWORD).getBytes(UTF_8));
        requireRefused(post(parameters, "Authorization", basic), "invalid_client");
        assertThat(post(Map.of("grant_type", "client_credentials"), "Authorization", basic)
                        .status())
                .isEqualTo(200);
        assertThat(redeem(code).status()).isEqualTo(200);
    }

    @Test
    @DisplayName("gets its user back from the page, at once if the user has logged in before")
    void inBrowser() {
        String ann = player();
        String back = "http://127.0.0.1:%d/back".formatted(lottery.address().getPort());
        String request = lottery.address() + AUTHORIZE + "?" + form(request("redirect_uri", back));
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            page.get(request);
            type(page, "input[name=name]", ann);
            type(page, "input[name=password]", PASSWORD);
            click(page, "form.password button", "");
            awaitPage().until(() -> isBack(page, back));
            String code = parameters(page.getCurrentUrl()).get("code");
            assertThat(redeem(Objects.requireNonNull(code), "redirect_uri", back)
                            .status())
                    .isEqualTo(200);

            // From another site the cookie does not come, and the page goes on by itself.
            page.get(lottery.address() + "/?continue="
                    + URLEncoder.encode(AUTHORIZE + "?" + form(request("redirect_uri", back)), UTF_8));
            awaitPage().until(() -> isBack(page, back));
            assertThat(parameters(page.getCurrentUrl()).get("code")).isNotEqualTo(code);

            page.get(lottery.address() + "/?continue=https%3A%2F%2Fevil.example");
            find(page, ".who", ann);
            assertThat(URI.create(page.getCurrentUrl()).getHost())
                    .isEqualTo(lottery.address().getHost());
        } finally {
            page.quit();
        }
    }

    private static boolean isBack(ChromeDriver page, String back) {
        return page.getCurrentUrl().startsWith(back + "?code=");
    }
}
