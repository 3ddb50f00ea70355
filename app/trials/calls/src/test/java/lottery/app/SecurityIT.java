package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jwt.JWTClaimsSet;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import lottery.app.LotteryProcess.Reply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("A lottery that knows its callers by tokens")
class SecurityIT {

    private static final Duration SOON = Duration.ofSeconds(30);

    private static final List<String> ROLES = List.of(
            "player", "front", "payments", "fulfilment", "operator", "approver", "desk", "auditor", "metrics", "admin");

    /**
     * The roles for each operation. A * stands for everybody, "each" for everybody who says who he is, and "own" for
     * players who ask for what is theirs.
     */
    private static final String MATRIX = """
            GET /api/v1/activities                                                    *
            POST /api/v1/activities                                                   operator
            GET /api/v1/activities/{activityId}                                       *
            PUT /api/v1/activities/{activityId}                                       operator
            GET /api/v1/activities/{activityId}/accounts/{userId}                     own front desk auditor
            GET /api/v1/activities/{activityId}/accounts/{userId}/awards              own front desk auditor
            GET /api/v1/activities/{activityId}/accounts/{userId}/draws               own front desk auditor
            POST /api/v1/activities/{activityId}/accounts/{userId}/draws              own front
            POST /api/v1/activities/{activityId}/accounts/{userId}/entries            own front
            GET /api/v1/activities/{activityId}/accounts/{userId}/raffle-orders       own front desk auditor
            POST /api/v1/activities/{activityId}/accounts/{userId}/raffle-orders      own front
            GET /api/v1/activities/{activityId}/accounts/{userId}/recharges           own front desk auditor
            POST /api/v1/activities/{activityId}/accounts/{userId}/recharges          own front
            GET /api/v1/activities/{activityId}/award-codes/{awardId}                 operator approver desk auditor
            POST /api/v1/activities/{activityId}/award-codes/{awardId}                operator
            GET /api/v1/activities/{activityId}/awards                                own front operator desk
            POST /api/v1/activities/{activityId}/awards/{awardId}/hold                operator
            POST /api/v1/activities/{activityId}/awards/{awardId}/release             operator
            GET /api/v1/activities/{activityId}/draws/export                          auditor
            GET /api/v1/activities/{activityId}/entries/{entryNo}/proof               *
            GET /api/v1/activities/{activityId}/figures                               operator approver auditor
            GET /api/v1/activities/{activityId}/odds                                  *
            GET /api/v1/activities/{activityId}/odds/audit                            *
            GET /api/v1/activities/{activityId}/pool                                  *
            POST /api/v1/activities/{activityId}/preflight                            operator approver
            GET /api/v1/activities/{activityId}/review                                operator approver auditor
            GET /api/v1/activities/{activityId}/stock                                 operator approver desk auditor
            POST /api/v1/activities/{activityId}/transitions                          operator approver
            POST /api/v1/activities/{activityId}/verifications                        auditor
            GET /api/v1/activities/{activityId}/winners                               *
            GET /api/v1/activities/{activityId}/winners/stream                        *
            POST /api/v1/activity-choices                                             own front operator
            POST /api/v1/activity-choices/draws                                       front
            GET /api/v1/award-records/{awardRecordId}                                 own front desk auditor
            POST /api/v1/award-records/{awardRecordId}/claim                          own front
            GET /api/v1/award-records/{awardRecordId}/code                            own
            POST /api/v1/award-records/{awardRecordId}/fulfilments                    fulfilment desk
            POST /api/v1/award-records/{awardRecordId}/void                           desk
            GET /api/v1/bans                                                          desk auditor
            GET /api/v1/credit-proposals/{proposalId}                                 front approver desk auditor
            POST /api/v1/credit-proposals/{proposalId}/decision                       approver
            GET /api/v1/decision-trees/{treeId}                                       operator approver auditor
            PUT /api/v1/decision-trees/{treeId}                                       operator
            GET /api/v1/ops/audit                                                     desk auditor
            POST /api/v1/ops/award-records/{awardRecordId}/invoices                   desk
            POST /api/v1/ops/award-records/{awardRecordId}/release                    desk
            POST /api/v1/ops/award-records/{awardRecordId}/remedy                     desk
            GET /api/v1/ops/credit-proposals                                          approver auditor
            GET /api/v1/ops/dead-letters                                              desk auditor
            POST /api/v1/ops/dead-letters/{id}/drop                                   desk
            POST /api/v1/ops/dead-letters/{id}/retry                                  desk
            GET /api/v1/ops/decisions                                                 desk auditor
            GET /api/v1/ops/grants                                                    desk auditor
            GET /api/v1/ops/journeys                                                  desk auditor
            POST /api/v1/ops/journeys/{kind}/{id}/retry                               desk
            GET /api/v1/ops/parked-events                                             desk auditor
            POST /api/v1/ops/parked-events/{processor}/{position}/drop                desk
            POST /api/v1/ops/parked-events/{processor}/{position}/retry               desk
            GET /api/v1/ops/personal-reads                                            auditor
            GET /api/v1/ops/projections                                               operator desk auditor
            POST /api/v1/ops/projections/{name}/replay                                operator
            GET /api/v1/ops/rebates                                                   desk auditor
            POST /api/v1/ops/rebates/{behaviourId}/{ruleId}/{index}/drop              desk
            POST /api/v1/ops/rebates/{behaviourId}/{ruleId}/{index}/retry             desk
            GET /api/v1/raffle-orders/{orderId}                                       own front desk auditor
            POST /api/v1/raffle-orders/{orderId}/cancellation                         own front
            POST /api/v1/raffle-orders/{orderId}/draw                                 own front
            GET /api/v1/raffle-orders/{orderId}/proof                                 own front desk auditor
            GET /api/v1/raffle-orders/{orderId}/stream                                own front desk auditor
            GET /api/v1/rebate-rules                                                  *
            GET /api/v1/rebate-rules/{ruleId}                                         *
            POST /api/v1/rebate-rules/{ruleId}/adoption                               approver
            GET /api/v1/rebate-rules/{ruleId}/proposal                                operator approver auditor
            PUT /api/v1/rebate-rules/{ruleId}                                         operator
            GET /api/v1/recharges/{rechargeId}                                        own front payments desk auditor
            POST /api/v1/recharges/{rechargeId}/completion                            payments
            GET /api/v1/ops/account-changes                                           admin auditor
            GET /api/v1/ops/accounts                                                  admin auditor
            PUT /api/v1/ops/accounts/{account}                                        admin
            DELETE /api/v1/ops/accounts/{account}/lock                                admin desk
            POST /api/v1/ops/accounts/{account}/lock                                  admin desk
            DELETE /api/v1/session                                                    each
            GET /api/v1/session                                                       each
            POST /api/v1/session                                                      *
            POST /api/v1/session/password                                             each
            POST /api/v1/session/phone                                                *
            GET /api/v1/session/ways                                                  *
            POST /api/v1/session/phone-codes                                          *
            GET /api/v1/strategies                                                    operator approver auditor
            POST /api/v1/strategies                                                   operator
            GET /api/v1/strategies/{strategyId}                                       operator approver auditor
            PUT /api/v1/strategies/{strategyId}                                       operator
            POST /api/v1/strategies/{strategyId}/simulations                          operator approver
            DELETE /api/v1/users/{userId}/ban                                         desk
            POST /api/v1/users/{userId}/ban                                           desk
            DELETE /api/v1/users/{userId}/person                                      desk
            GET /api/v1/users/{userId}/person                                         desk auditor
            POST /api/v1/users/{userId}/behaviours                                    front
            GET /api/v1/users/{userId}/behaviours/{behaviourId}                       own front desk auditor
            GET /api/v1/users/{userId}/credits                                        own front desk auditor
            GET /api/v1/users/{userId}/credits/entries                                own front desk auditor
            POST /api/v1/users/{userId}/credits/entries                               front
            GET /api/v1/users/{userId}/sign-ins                                       own front desk auditor
            POST /api/v1/users/{userId}/sign-ins                                      own front
            """;

    /** Operations that the contract does not list, since they are not for programs of others. */
    private static final String MATRIX_BESIDE_CONTRACT = """
            GET /actuator/health       *
            GET /actuator/prometheus   operator metrics
            GET /v3/api-docs           operator
            GET /                      *
            GET /console               *
            GET /pages/unknown.js      *
            GET /livez                 *
            GET /readyz                *
            GET /problems/not-found    *
            GET /actuator/env
            GET /api/v1/unheard-of
            GET /%61pi/v1/unheard-of
            """;

    private static final Map<String, String> EXAMPLES = Map.ofEntries(
            Map.entry("activityId", "999999999"),
            Map.entry("awardId", "1"),
            Map.entry("entryNo", "1"),
            Map.entry("strategyId", "999999999"),
            Map.entry("treeId", "999999999"),
            Map.entry("orderId", "order:33-e5173994-fc37-8861-b836-9cad666a564f"),
            Map.entry("awardRecordId", "award:33-e5173994-fc37-8861-b836-9cad666a564f"),
            Map.entry("rechargeId", "recharge:33-e5173994-fc37-8861-b836-9cad666a564f"),
            Map.entry("ruleId", "999999999"),
            Map.entry("behaviourId", "behaviour:33-e5173994-fc37-8861-b836-9cad666a564f"),
            Map.entry("proposalId", "proposal:33-e5173994-fc37-8861-b836-9cad666a564f"),
            Map.entry("index", "0"),
            Map.entry("id", "999999999"),
            Map.entry("kind", "grant"),
            Map.entry("processor", "nobody"),
            Map.entry("position", "1"),
            Map.entry("name", "nobody"),
            Map.entry("account", "nobody"));

    private static final String MUGS = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "A mug", "type": "PHYSICAL", "rate": "1", "sort": 1}]""";

    private static final String BICYCLE = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "A bicycle", "type": "PHYSICAL", "rate": "1", "sort": 1, "cost": "250"}]""";

    private static final String TEA = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Tea", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private static final String OPERA = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Opera", "type": "TEXT", "grant": {"timing": "MANUAL"}, "rate": "1", "sort": 1}]""";

    private static final String KEY = "Idempotency-Key";
    private static final AtomicInteger NUMBERS = new AtomicInteger(700_000);

    private static HttpClient http;
    private static TokenIssuer issuer;
    private static LotteryProcess lottery;

    @BeforeAll
    static void open() throws Exception {
        http = HttpClient.newHttpClient();
        issuer = new TokenIssuer();
        lottery = LotteryProcess.open(Servers.environmentOfIdentity(issuer));
    }

    @AfterAll
    static void close() {
        lottery.close();
        issuer.close();
        http.close();
    }

    record Rule(HttpMethod method, String path, Set<String> allowed) {

        static List<Rule> in(String matrix) {
            return matrix.lines()
                    .map(line -> line.split("\\s+"))
                    .map(words -> new Rule(
                            HttpMethod.valueOf(words[0]),
                            words[1],
                            Set.copyOf(List.of(words).subList(2, words.length))))
                    .toList();
        }

        boolean isPublic() {
            return allowed.contains("*");
        }

        boolean isForEachRole() {
            return allowed.contains("each");
        }

        boolean isOwn() {
            return allowed.contains("own");
        }

        /** Asks for what belongs to this user, and where it does not say to whom, for what is not there. */
        String of(String user) {
            String filled = path.replace("{userId}", user);
            for (Map.Entry<String, String> example : EXAMPLES.entrySet()) {
                filled = filled.replace("{" + example.getKey() + "}", example.getValue());
            }
            return path.endsWith("/{activityId}/awards") ? filled + "?userId=" + user : filled;
        }

        boolean saysWhose() {
            return path.contains("{userId}") || path.endsWith("/{activityId}/awards");
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    /** The status alone: some answers have no end. */
    private static int status(HttpMethod method, String path, @Nullable String token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(lottery.address() + path))
                .timeout(SOON)
                .header("Content-Type", "application/json")
                .method(
                        method.name(),
                        method.equals(HttpMethod.GET) ? BodyPublishers.noBody() : BodyPublishers.ofString("{}"));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<InputStream> response = http.send(request.build(), BodyHandlers.ofInputStream());
        response.body().close();
        return response.statusCode();
    }

    static Stream<Rule> rules() {
        return Stream.concat(Rule.in(MATRIX).stream(), Rule.in(MATRIX_BESIDE_CONTRACT).stream());
    }

    @Test
    @DisplayName("has a rule for each operation of its contract")
    void everyOperation() throws IOException {
        JsonNode paths = new JsonMapper()
                .readTree(Files.readString(Path.of("../docs/openapi.json")))
                .path("paths");
        List<String> operations = new ArrayList<>();
        paths.forEachEntry((path, item) -> item.propertyNames().stream()
                .filter(name -> Set.of("get", "put", "post", "delete", "patch").contains(name))
                .forEach(method -> operations.add(method.toUpperCase(java.util.Locale.ROOT) + " " + path)));
        assertThat(Rule.in(MATRIX)).map(Rule::toString).containsExactlyInAnyOrderElementsOf(operations);
    }

    @ParameterizedTest(name = "answers those whom it is for: {0}")
    @MethodSource("rules")
    void matrix(Rule rule) throws Exception {
        assertThat(status(rule.method(), rule.of("ann"), null))
                .as("nobody")
                .satisfies(status -> assertThat(status == 401).isNotEqualTo(rule.isPublic()));
        for (String role : ROLES) {
            boolean isAllowed = rule.isPublic()
                    || rule.isForEachRole()
                    || rule.allowed().contains(role)
                    || (role.equals("player") && rule.isOwn());
            int status = status(rule.method(), rule.of("ann"), issuer.token("ann", role));
            assertThat(status).as(role).isNotEqualTo(401);
            assertThat(status != 403).as("%s is answered %d", role, status).isEqualTo(isAllowed);
        }
        if (rule.isOwn() && rule.saysWhose()) {
            assertThat(status(rule.method(), rule.of("ben"), issuer.token("ann", "player")))
                    .as("another player's")
                    .isEqualTo(404);
            assertThat(status(rule.method(), rule.of("ben"), issuer.token("ann", "player", "front")))
                    .as("of a player who acts for others, too")
                    .isNotIn(401, 403);
        }
        assertThat(status(rule.method(), rule.of("ann"), issuer.token("ann", "king", "")) == 403)
                .as("with a role that there is not")
                .isNotEqualTo(rule.isPublic());
    }

    static Stream<Arguments> badTokens() {
        Function<JWTClaimsSet.Builder, String> signed = claims -> issuer.signed(claims.build());
        JWTClaimsSet good = issuer.claims("ann", "player").build();
        Instant past = Instant.now().minusSeconds(120);
        return Stream.of(
                Arguments.of("forged", issuer.forged(good)),
                Arguments.of("not signed", TokenIssuer.unsigned(good)),
                Arguments.of("changed", issuer.signed(good).replaceFirst("\\.[^.]{10}", ".eyJzdWIiOi")),
                Arguments.of(
                        "of another issuer",
                        signed.apply(issuer.claims("ann", "player").issuer("http://127.0.0.1:1"))),
                Arguments.of(
                        "for another audience",
                        signed.apply(issuer.claims("ann", "player").audience("shop"))),
                Arguments.of(
                        "expired", signed.apply(issuer.claims("ann", "player").expirationTime(Date.from(past)))),
                Arguments.of(
                        "without an end",
                        signed.apply(issuer.claims("ann", "player").expirationTime(null))),
                Arguments.of(
                        "not valid yet",
                        signed.apply(issuer.claims("ann", "player")
                                .notBeforeTime(Date.from(Instant.now().plusSeconds(300))))),
                Arguments.of(
                        "without a subject",
                        signed.apply(issuer.claims("ann", "player").subject(null))),
                Arguments.of("no token", "ann"));
    }

    @ParameterizedTest(name = "takes no token that is {0}")
    @MethodSource("badTokens")
    void badToken(String what, String token) {
        Reply reply = as(token, HttpMethod.GET, "/api/v1/users/ann/credits", null);
        assertThat(reply.status()).as(reply.text()).isEqualTo(401);
        assertThat(reply.code()).isEqualTo("UNAUTHENTICATED");
        assertThat(reply.headers().getFirst("WWW-Authenticate")).isEqualTo("Bearer");
        assertThat(reply.json().path("traceId").asString()).isNotEmpty();
    }

    @Test
    @DisplayName("answers 400 for a header that is no text, and for a path that can be read in two ways")
    void malformed() throws Exception {
        String draws = "/api/v1/activities/999999999/accounts/ann/draws";
        String token = "Authorization: Bearer " + issuer.token("ann", "player") + "\r\n";
        for (String request : List.of(
                "POST " + draws + " HTTP/1.1\r\nHost: localhost\r\n" + token
                        + "Idempotency-Key: \u0096\u0087\r\nContent-Length: 0\r\n\r\n",
                "POST " + draws.replace("/ann", ";x=1/ann") + " HTTP/1.1\r\nHost: localhost\r\n" + token
                        + "Content-Length: 0\r\n\r\n",
                "POST " + draws.replace("/ann", "//ann") + " HTTP/1.1\r\nHost: localhost\r\n" + token
                        + "Content-Length: 0\r\n\r\n")) {
            assertThat(RawConnection.ask(lottery.address(), request).status())
                    .as(request)
                    .isEqualTo(400);
        }
    }

    @Test
    @DisplayName("notes who of the staff has read what about persons, and not what players and fronts read")
    void personalReads() throws Exception {
        String dora = "dora-" + NUMBERS.incrementAndGet();
        String player = "ann-" + NUMBERS.incrementAndGet();
        String credits = "/api/v1/users/%s/credits".formatted(player);
        for (String role : List.of("desk", "front")) {
            assertThat(as(issuer.token(dora, role), HttpMethod.GET, credits, null)
                            .status())
                    .isEqualTo(200);
        }
        assertThat(as(issuer.token(player, "player"), HttpMethod.GET, credits, null)
                        .status())
                .isEqualTo(200);
        String reads = "/api/v1/ops/personal-reads?actor=";
        JsonNode noted = as(issuer.token("audrey", "auditor"), HttpMethod.GET, reads + dora, null)
                .json()
                .path("reads");
        assertThat(noted).singleElement().satisfies(read -> {
            assertThat(read.path("role").asString()).isEqualTo("desk");
            assertThat(read.path("path").asString()).isEqualTo(credits);
            assertThat(read.path("traceId").asString()).isNotEmpty();
        });
        String both = "dirk-" + NUMBERS.incrementAndGet();
        as(issuer.token(both, "front", "desk"), HttpMethod.GET, credits, null);
        assertThat(as(issuer.token("audrey", "auditor"), HttpMethod.GET, reads + both, null)
                        .json()
                        .path("reads"))
                .hasSize(1);
        assertThat(as(issuer.token("audrey", "auditor"), HttpMethod.GET, reads + player, null)
                        .json()
                        .path("reads"))
                .isEmpty();
    }

    @Test
    @DisplayName("says in the caller's language that a role is missing")
    void forbidden() {
        Reply reply = lottery.ask(
                HttpMethod.POST,
                "/api/v1/strategies",
                "{}",
                "Authorization",
                "Bearer " + issuer.token("ann", "player"),
                "Accept-Language",
                "zh-CN");
        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.code()).isEqualTo("FORBIDDEN");
        assertThat(reply.json().path("title").asString()).isEqualTo("无权限");
    }

    private static Reply as(String token, HttpMethod method, String path, @Nullable String body, String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        all.addAll(List.of("Authorization", "Bearer " + token));
        if (method.equals(HttpMethod.POST) && !all.contains(KEY)) {
            all.addAll(List.of(KEY, UUID.randomUUID().toString()));
        }
        return lottery.ask(method, path, body, all.toArray(String[]::new));
    }

    private static Reply decide(String name, String proposal, String decision) {
        return as(
                issuer.token(name, "approver", "front"),
                HttpMethod.POST,
                "/api/v1/credit-proposals/" + proposal + "/decision",
                "{\"decision\": \"%s\"}".formatted(decision));
    }

    private static List<String> proposalsIn(Reply page) {
        return page.json()
                .path("items")
                .valueStream()
                .map(proposal -> proposal.path("proposalId").asString())
                .toList();
    }

    @Test
    @DisplayName("books many credits by hand only for two persons, and the audit names both")
    void manyCredits() {
        String entries = "/api/v1/users/rich-%d/credits/entries".formatted(NUMBERS.incrementAndGet());
        String prize = "{\"amount\": \"5000\", \"businessNo\": \"prize\"}";
        String fred = issuer.token("fred", "front", "approver");
        Reply proposed = as(fred, HttpMethod.POST, entries, prize);
        assertThat(proposed.status()).as(proposed.text()).isEqualTo(202);
        String proposal = proposed.json().path("proposalId").asString();
        String waiting = "/api/v1/ops/credit-proposals?state=PROPOSED&limit=100";
        String paul = issuer.token("paul", "approver");
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(proposalsIn(as(paul, HttpMethod.GET, waiting, null)))
                        .as("what an approver finds to decide about")
                        .contains(proposal));
        assertThat(decide("fred", proposal, "CONFIRM").code()).isEqualTo("FORBIDDEN");
        assertThat(as(issuer.token("dora", "desk"), HttpMethod.GET, "/api/v1/credit-proposals/" + proposal, null)
                        .json()
                        .path("state")
                        .asString())
                .isEqualTo("PROPOSED");
        Reply confirmed = decide("paul", proposal, "CONFIRM");
        assertThat(confirmed.status()).as(confirmed.text()).isEqualTo(200);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(proposalsIn(as(paul, HttpMethod.GET, waiting, null)))
                        .doesNotContain(proposal));
        Reply booked = as(fred, HttpMethod.POST, entries, prize);
        assertThat(booked.status()).as(booked.text()).isEqualTo(200);
        assertThat(booked.json().path("entry").asInt())
                .as("nothing was booked before")
                .isEqualTo(1);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(as(
                                        issuer.token("dora", "desk"),
                                        HttpMethod.GET,
                                        "/api/v1/ops/audit?subject=" + proposal,
                                        null)
                                .json()
                                .path("entries"))
                        .extracting(decision -> decision.path("type").asString() + " "
                                + decision.path("actor").asString())
                        .containsExactly("proposal.credits-confirmed paul", "proposal.credits-proposed fred"));
    }

    @Test
    @DisplayName("lets a rebate rule pay only when another person adopts it")
    void rebateRule() {
        String path = "/api/v1/rebate-rules/" + NUMBERS.incrementAndGet();
        String olga = issuer.token("olga", "operator", "approver");
        Reply proposed = as(olga, HttpMethod.PUT, path, """
                {"behaviour": "give", "rebates": [{"kind": "CREDIT", "amount": "5"}], "state": "OPEN"}""");
        assertThat(proposed.status()).as(proposed.text()).isEqualTo(202);
        assertThat(as(olga, HttpMethod.GET, path, null).status()).isEqualTo(404);
        assertThat(as(olga, HttpMethod.GET, path + "/proposal", null)
                        .json()
                        .path("by")
                        .asString())
                .isEqualTo("olga");
        String adoption = "{\"version\": 1}";
        assertThat(as(olga, HttpMethod.POST, path + "/adoption", adoption).code())
                .isEqualTo("FORBIDDEN");
        assertThat(as(issuer.token("paul", "approver"), HttpMethod.POST, path + "/adoption", adoption)
                        .status())
                .isEqualTo(200);
        assertThat(as(olga, HttpMethod.GET, path, null).status()).isEqualTo(200);
    }

    private static Reply asOperator(HttpMethod method, String path, String body) {
        return as(issuer.token("olga", "operator"), method, path, body);
    }

    private static Reply change(String token, int activity, String action) {
        return as(
                token,
                HttpMethod.POST,
                "/api/v1/activities/%d/transitions".formatted(activity),
                "{\"action\": \"%s\"}".formatted(action));
    }

    /** An activity that was submitted by Olga. */
    private static int submitted(String awards) {
        return submitted(awards, "\"description\": \"Mugs\"");
    }

    private static int submitted(String awards, String more) {
        int number = NUMBERS.incrementAndGet();
        Reply strategy =
                asOperator(HttpMethod.POST, "/api/v1/strategies", "{\"strategyId\": %d, %s}".formatted(number, awards));
        assertThat(strategy.status()).as(strategy.text()).isEqualTo(201);
        Reply activity = asOperator(HttpMethod.POST, "/api/v1/activities", """
                {"activityId": %d, "name": "Mugs", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d, %s, "skus": [
                   {"sku": 1, "total": 9, "month": 9, "day": 9},
                   {"sku": 2, "total": 1, "month": 1, "day": 1, "priceCredits": "5"}]}""".formatted(number, number, more));
        assertThat(activity.status()).as(activity.text()).isEqualTo(201);
        assertThat(change(issuer.token("olga", "operator", "approver"), number, "submit")
                        .status())
                .isEqualTo(200);
        return number;
    }

    private static int opened(String awards) {
        return opened(submitted(awards));
    }

    private static int opened(int number) {
        assertThat(change(issuer.token("paul", "approver"), number, "pass").status())
                .isEqualTo(200);
        await().atMost(SOON).until(() -> {
            Reply started = change(issuer.token("olga", "operator"), number, "start");
            return started.status() == 200 || started.code().equals("ACTIVITY_STATE");
        });
        return number;
    }

    @Test
    @DisplayName("lets nobody pass what he has submitted, whatever roles he has, and nobody pass who only operates")
    void fourEyes() {
        int activity = submitted(MUGS);
        assertThat(change(issuer.token("olga", "operator"), activity, "pass").code())
                .isEqualTo("FORBIDDEN");
        assertThat(change(issuer.token("olga", "operator", "approver"), activity, "pass")
                        .code())
                .isEqualTo("FORBIDDEN");
        assertThat(change(issuer.token("paul", "approver"), activity, "close").code())
                .isEqualTo("FORBIDDEN");
        assertThat(change(issuer.token("paul", "approver"), activity, "pass").status())
                .isEqualTo(200);
    }

    @Test
    @DisplayName("draws by the version that was passed, until another person than its author adopts the next one")
    void pinnedVersion() {
        int activity = opened(TEA);
        String path = "/api/v1/activities/" + activity;
        String front = issuer.token("shop", "front");
        as(front, HttpMethod.POST, path + "/accounts/ann/recharges", """
                {"sku": 1, "outBusinessNo": "pinned-%d"}""".formatted(activity));
        assertThat(drawnTitle(front, path)).isEqualTo("Tea");

        Reply revised = as(
                issuer.token("olga", "operator"),
                HttpMethod.PUT,
                "/api/v1/strategies/" + activity,
                "{%s}".formatted(TEA.replace("Tea", "Nothing much")),
                "If-Match",
                "\"1\"");
        assertThat(revised.status()).as(revised.text()).isEqualTo(200);
        assertThat(drawnTitle(front, path)).isEqualTo("Tea");
        assertThat(as(front, HttpMethod.GET, path + "/odds", null)
                        .json()
                        .path("strategyVersion")
                        .asInt())
                .isEqualTo(1);
        await().atMost(SOON).untilAsserted(() -> assertThat(shown(front, path)).isEqualTo("Tea"));
        JsonNode shown = as(front, HttpMethod.GET, path, null).json();
        assertThat(shown.path("strategyVersion").asInt()).isEqualTo(1);
        assertThat(shown.path("strategyHash").asString()).hasSize(64);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(committed(front, path)).hasSize(1));
        JsonNode noted = committed(front, path).path(0);
        assertThat(noted.path("strategyHash")).isEqualTo(shown.path("strategyHash"));
        assertThat(noted.path("roundCommitment").asString()).hasSize(64);

        String adoption = "{\"action\": \"adopt\", \"strategyVersion\": 2}";
        String author = issuer.token("olga", "operator", "approver");
        assertThat(as(author, HttpMethod.POST, path + "/transitions", adoption).code())
                .isEqualTo("FORBIDDEN");
        Reply adopted = as(issuer.token("paul", "approver"), HttpMethod.POST, path + "/transitions", adoption);
        assertThat(adopted.status()).as(adopted.text()).isEqualTo(200);
        assertThat(drawnTitle(front, path)).isEqualTo("Nothing much");
        await().atMost(SOON).untilAsserted(() -> assertThat(shown(front, path)).isEqualTo("Nothing much"));

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(committed(front, path)).hasSize(2));
        assertThat(committed(front, path).path(0)).isEqualTo(noted);
        assertThat(committed(front, path).path(1).path("strategyVersion").asInt())
                .isEqualTo(2);
        assertThat(committed(front, path).path(1).path("roundCommitment").asString())
                .hasSize(64);

        Reply verified = as(issuer.token("alan", "auditor"), HttpMethod.POST, path + "/verifications", null);
        assertThat(verified.json().path("draws").asInt()).as(verified.text()).isEqualTo(3);
        assertThat(verified.json().path("agreed").asInt()).as(verified.text()).isEqualTo(3);
    }

    /** Returns the versions that the first round of an activity has committed to. */
    private static JsonNode committed(String token, String path) {
        return as(token, HttpMethod.GET, path, null).json().at("/rounds/0/strategies");
    }

    @Test
    @DisplayName("shows an auditor who has decided what about an activity, the newest first, page by page")
    void audit() {
        int activity = submitted(TEA);
        change(issuer.token("paul", "approver"), activity, "pass");
        String auditor = issuer.token("alan", "auditor");
        String trail = "/api/v1/ops/audit?subject=activity:" + activity;
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(decisionsIn(as(auditor, HttpMethod.GET, trail, null)))
                        .containsExactly("paul activity.passed", "olga activity.submitted", "olga activity.created"));

        Reply first = as(auditor, HttpMethod.GET, trail + "&limit=2", null);
        assertThat(decisionsIn(first)).containsExactly("paul activity.passed", "olga activity.submitted");
        String next = first.json().path("next").asString();
        assertThat(decisionsIn(as(auditor, HttpMethod.GET, trail + "&limit=2&cursor=" + next, null)))
                .containsExactly("olga activity.created");
        assertThat(decisionsIn(as(auditor, HttpMethod.GET, trail + "&actor=paul", null)))
                .containsExactly("paul activity.passed");
        assertThat(as(auditor, HttpMethod.GET, trail + "&cursor=x", null).status())
                .isEqualTo(400);
    }

    private static List<String> decisionsIn(Reply page) {
        return page.json()
                .path("entries")
                .valueStream()
                .map(entry -> entry.path("actor").asString() + " "
                        + entry.path("type").asString())
                .toList();
    }

    private static String drawnTitle(String front, String activity) {
        Reply drawn = as(front, HttpMethod.POST, activity + "/accounts/ann/draws", null);
        assertThat(drawn.status()).as(drawn.text()).isEqualTo(201);
        return drawn.json().path("award").path("title").asString();
    }

    private static String shown(String front, String activity) {
        return as(front, HttpMethod.GET, activity + "/awards?userId=ann", null)
                .json()
                .path(0)
                .path("title")
                .asString();
    }

    @Test
    @DisplayName("wants a key from a player who draws, and from everybody where the activity says so")
    void keys() {
        int activity = opened(TEA);
        int strict = opened(submitted(TEA, "\"keysRequired\": true"));
        String ann = issuer.token("ann", "player");
        String front = issuer.token("shop", "front");
        for (String wish : List.of("/draws", "/raffle-orders")) {
            requireKeyWanted(keyless(ann, activity, wish));
            requireKeyWanted(keyless(front, strict, wish));
            assertThat(keyless(front, activity, wish).code())
                    .as("a front is asked for no key, and ann has no chance")
                    .isEqualTo("QUOTA_TOTAL");
        }
        String shown = "/api/v1/activities/" + strict;
        await().atMost(SOON)
                .until(() -> as(ann, HttpMethod.GET, shown, null)
                        .json()
                        .path("keysRequired")
                        .asBoolean());
    }

    @Test
    @DisplayName("lets fronts say what they know of a user, and no player")
    void matters() {
        int activity = opened(TEA);
        String body = "{\"matters\": {\"age\": 21}}";
        for (String wish : List.of("/draws", "/raffle-orders", "/entries")) {
            String path = "/api/v1/activities/%d/accounts/ann".formatted(activity) + wish;
            assertThat(as(issuer.token("ann", "player"), HttpMethod.POST, path, body)
                            .code())
                    .isEqualTo("FORBIDDEN");
            assertThat(as(issuer.token("shop", "front"), HttpMethod.POST, path, body)
                            .code())
                    .as("nothing but a chance is missing, or a pool")
                    .isEqualTo(wish.equals("/entries") ? "DRAW_MODE" : "QUOTA_TOTAL");
        }
        String[] waits = {
            "Authorization",
            "Bearer " + issuer.token("ann", "player"),
            "Prefer",
            "respond-async",
            "Idempotency-Key",
            "queued"
        };
        String path = "/api/v1/activities/%d/accounts/ann/draws".formatted(activity);
        assertThat(lottery.ask(HttpMethod.POST, path, body, waits).code()).isEqualTo("FORBIDDEN");
    }

    private static Reply keyless(String token, int activity, String wish) {
        String path = "/api/v1/activities/%d/accounts/ann".formatted(activity) + wish;
        return lottery.ask(HttpMethod.POST, path, null, "Authorization", "Bearer " + token);
    }

    private static void requireKeyWanted(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(428);
        assertThat(reply.code()).isEqualTo("KEY_REQUIRED");
        assertThat(reply.json().path("retryable").asBoolean()).isFalse();
    }

    @Test
    @DisplayName("names the person and the request of a decision at the desk")
    void decisions() {
        int activity = opened(OPERA);
        String account = "/api/v1/activities/%d/accounts/ann".formatted(activity);
        as(issuer.token("shop", "front"), HttpMethod.POST, account + "/recharges", """
                {"sku": 1, "outBusinessNo": "desk-%d"}""".formatted(activity));
        String record = as(issuer.token("ann", "player"), HttpMethod.POST, account + "/draws", null)
                .json()
                .path("awardRecordId")
                .asString();
        String desk = issuer.token("dora", "desk");
        Reply released = as(desk, HttpMethod.POST, "/api/v1/ops/award-records/" + record + "/release", null);
        assertThat(released.status()).as(released.text()).isEqualTo(200);
        JsonNode decision = as(issuer.token("alan", "auditor"), HttpMethod.GET, "/api/v1/ops/decisions?limit=1", null)
                .json()
                .path("decisions")
                .path(0);
        assertThat(decision.path("subject").asString()).contains(record);
        assertThat(decision.path("actor").asString()).isEqualTo("dora");
        assertThat(decision.path("traceId").asString()).hasSize(32);
    }

    @Test
    @DisplayName("lets two of the desk compensate a dear award, and never one of them alone")
    void dearRemedy() {
        int activity = opened(BICYCLE);
        String account = "/api/v1/activities/%d/accounts/ann".formatted(activity);
        as(issuer.token("shop", "front"), HttpMethod.POST, account + "/recharges", """
                {"sku": 1, "outBusinessNo": "dear-%d"}""".formatted(activity));
        String ann = issuer.token("ann", "player");
        String record = as(ann, HttpMethod.POST, account + "/draws", null)
                .json()
                .path("awardRecordId")
                .asString();
        String award = "/api/v1/award-records/" + record;
        as(ann, HttpMethod.POST, award + "/claim", """
                {"name": "Ann", "phone": "1", "address": "1 High Street"}""");
        String dora = issuer.token("dora", "desk");
        as(dora, HttpMethod.POST, award + "/fulfilments", """
                {"result": "REJECTED", "reference": "r", "reason": "Broken"}""");
        String path = "/api/v1/ops/award-records/" + record + "/remedy";
        String remedy = "{\"remedy\": \"RETURN_CHANCE\", \"reason\": \"It is sold out\"}";
        Reply proposed = as(dora, HttpMethod.POST, path, remedy);
        assertThat(proposed.status()).as(proposed.text()).isEqualTo(202);
        JsonNode waits = proposed.json().path("proposed");
        assertThat(waits.path("by").asString()).isEqualTo("dora");
        String agreement = remedy.replace(
                "}", ", \"proposal\": \"" + waits.path("proposal").asString() + "\"}");

        assertThat(as(dora, HttpMethod.POST, path, agreement).code()).isEqualTo("FORBIDDEN");
        String otto = issuer.token("otto", "desk");
        assertThat(as(otto, HttpMethod.POST, path, remedy).status())
                .as("he has not agreed to anything")
                .isEqualTo(202);
        assertThat(as(otto, HttpMethod.POST, path, remedy.replace("}", ", \"proposal\": \"another\"}"))
                        .code())
                .isEqualTo("NOT_FOUND");
        Reply done = as(otto, HttpMethod.POST, path, agreement);
        assertThat(done.status()).as(done.text()).isEqualTo(200);
        assertThat(done.json().path("state").asString()).isEqualTo("COMPENSATED");
        assertThat(as(issuer.token("alan", "auditor"), HttpMethod.GET, "/api/v1/ops/decisions?limit=2", null)
                        .json()
                        .path("decisions"))
                .extracting(decision -> decision.path("action").asString() + " "
                        + decision.path("actor").asString())
                .containsExactly("RETURN_CHANCE otto", "PROPOSE_RETURN_CHANCE dora");
    }

    @Test
    @DisplayName("shows a player what is his, and of others not even that it is there")
    void ownership() {
        int activity = opened(MUGS);
        String account = "/api/v1/activities/%d/accounts/ann".formatted(activity);
        String ann = issuer.token("ann", "player");
        String ben = issuer.token("ben", "player");
        String front = issuer.token("shop", "front");

        String recharge = account + "/recharges";
        String gift = "{\"sku\": 1, \"outBusinessNo\": \"gift-%d\"}".formatted(activity);
        assertThat(as(ann, HttpMethod.POST, recharge, gift).code())
                .as("for nothing")
                .isEqualTo("FORBIDDEN");
        assertThat(as(ann, HttpMethod.POST, recharge, gift.replace("1,", "2,")).code())
                .as("for credits")
                .isEqualTo("CREDITS_SHORT");
        Reply recharged = as(front, HttpMethod.POST, recharge, gift);
        assertThat(recharged.status()).as(recharged.text()).isEqualTo(201);

        Reply drawn = as(ann, HttpMethod.POST, account + "/draws", null);
        assertThat(drawn.status()).as(drawn.text()).isEqualTo(201);
        Reply taken = as(ann, HttpMethod.POST, account + "/raffle-orders", null);
        assertThat(taken.status()).as(taken.text()).isEqualTo(201);
        String order = "/api/v1/raffle-orders/" + taken.json().path("orderId").asString();
        String drawnOrder =
                "/api/v1/raffle-orders/" + drawn.json().path("orderId").asString();
        String record =
                "/api/v1/award-records/" + drawn.json().path("awardRecordId").asString();
        String position = "?after=" + drawn.headers().getFirst("Lottery-Position");
        String address = "{\"name\": \"Ben\", \"phone\": \"1\", \"address\": \"1 High Street\"}";

        String wheel = "/api/v1/activities/%d/awards?userId=ann".formatted(activity);
        for (String own : List.of(account, account + "/awards", wheel)) {
            assertThat(as(ann, HttpMethod.GET, own, null).status()).as(own).isEqualTo(200);
            assertThat(as(ben, HttpMethod.GET, own, null).code()).as(own).isEqualTo("NOT_FOUND");
        }
        String byArray = wheel.replace("userId=", "userId%5B%5D=");
        assertThat(as(ben, HttpMethod.GET, byArray, null).code()).isEqualTo("NOT_FOUND");

        List<Reply> strangers = List.of(
                as(ben, HttpMethod.POST, account + "/draws", null),
                as(ben, HttpMethod.POST, account + "/raffle-orders", null),
                as(ben, HttpMethod.POST, recharge, gift),
                as(ben, HttpMethod.GET, order, null),
                as(ben, HttpMethod.POST, order + "/draw", null),
                as(ben, HttpMethod.POST, order + "/cancellation", null),
                as(ben, HttpMethod.GET, drawnOrder + "/proof", null),
                as(ben, HttpMethod.GET, record + position, null),
                as(ben, HttpMethod.POST, record + "/claim", address),
                as(ben, HttpMethod.GET, record + "/code", null),
                as(
                        ben,
                        HttpMethod.GET,
                        "/api/v1/recharges/"
                                + recharged.json().path("rechargeId").asString(),
                        null),
                as(ben, HttpMethod.POST, "/api/v1/activity-choices", "{\"treeId\": 1, \"userId\": \"ann\"}"));
        assertThat(strangers).extracting(Reply::code).containsOnly("NOT_FOUND");

        assertThat(as(ann, HttpMethod.GET, order, null).status()).isEqualTo(200);
        assertThat(as(ann, HttpMethod.GET, drawnOrder + "/proof", null).status())
                .isEqualTo(200);
        assertThat(as(ann, HttpMethod.GET, record + position, null).status()).isEqualTo(200);
        assertThat(as(ann, HttpMethod.POST, order + "/cancellation", null).status())
                .isEqualTo(200);
        assertThat(as(ann, HttpMethod.POST, record + "/claim", address).status())
                .isEqualTo(200);

        String fulfilment = "{\"result\": \"GRANTED\", \"reference\": \"parcel\"}";
        assertThat(as(
                                issuer.token("coupons", "fulfilment:COUPON"),
                                HttpMethod.POST,
                                record + "/fulfilments",
                                fulfilment)
                        .code())
                .as("of another type")
                .isEqualTo("NOT_FOUND");
        assertThat(as(
                                issuer.token("parcels", "fulfilment:PHYSICAL"),
                                HttpMethod.POST,
                                record + "/fulfilments",
                                fulfilment)
                        .status())
                .isEqualTo(200);

        assertThat(Stored.actorsOf("activity.submitted", activity)).containsExactly("olga operator");
        assertThat(Stored.actorsOf("activity.passed", activity)).containsExactly("paul approver");
        assertThat(Stored.actorsOf("account.recharged", activity)).containsExactly("shop front");
        assertThat(Stored.actorsOf("raffle.drawn", activity)).containsExactly("ann player");
        assertThat(new TreeSet<>(Stored.actorsOf("activity.started", activity)))
                .as("by its operator, or by the lottery itself")
                .isSubsetOf("olga operator", "- -");
    }
}
