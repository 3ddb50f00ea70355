package lottery.app;

import static lottery.app.TokenLottery.as;
import static lottery.app.TokenLottery.issuer;
import static lottery.app.TokenLottery.lottery;
import static lottery.app.TokenLottery.token;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.function.Function;
import java.util.stream.Stream;
import lottery.app.LotteryProcess.Reply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("A lottery that knows its callers by tokens")
@Order(2)
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
            GET /api/v1/activities/{activityId}/accounts/{userId}/payments            own front desk auditor
            POST /api/v1/activities/{activityId}/accounts/{userId}/payments           own front
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
            GET /api/v1/decision-trees/{treeId}                                       operator approver auditor
            PUT /api/v1/decision-trees/{treeId}                                       operator
            GET /api/v1/ops/audit                                                     desk auditor
            POST /api/v1/ops/award-records/{awardRecordId}/invoices                   desk
            POST /api/v1/ops/award-records/{awardRecordId}/release                    desk
            POST /api/v1/ops/award-records/{awardRecordId}/remedy                     desk
            GET /api/v1/ops/dead-letters                                              desk auditor
            POST /api/v1/ops/dead-letters/{id}/drop                                   desk
            POST /api/v1/ops/dead-letters/{id}/retry                                  desk
            GET /api/v1/ops/decisions                                                 desk auditor
            GET /api/v1/ops/grants                                                    desk auditor
            GET /api/v1/ops/sagas                                                  desk auditor
            POST /api/v1/ops/sagas/{kind}/{id}/retry                               desk
            GET /api/v1/ops/payments                                                  desk auditor
            GET /api/v1/ops/payments/differences                                      desk auditor
            POST /api/v1/ops/payments/differences/decision                            desk
            GET /api/v1/ops/payments/statements                                       desk auditor
            PUT /api/v1/ops/payments/statements/{provider}/{day}                      desk
            GET /api/v1/ops/payments/trades.csv                                       desk auditor
            POST /api/v1/ops/payments/{paymentId}/decision                            desk
            POST /api/v1/ops/payments/{paymentId}/search                              desk
            GET /api/v1/ops/parked-events                                             desk auditor
            POST /api/v1/ops/parked-events/{processor}/{position}/drop                desk
            POST /api/v1/ops/parked-events/{processor}/{position}/retry               desk
            GET /api/v1/ops/personal-reads                                            auditor
            GET /api/v1/ops/projections                                               operator desk auditor
            POST /api/v1/ops/projections/{name}/replay                                operator
            GET /api/v1/ops/proposals                                                 operator approver desk admin auditor
            GET /api/v1/ops/proposals/{proposalId}                                    operator approver desk admin auditor
            POST /api/v1/ops/proposals/{proposalId}/decision                          operator approver desk admin
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
            PUT /api/v1/rebate-rules/{ruleId}                                         operator
            POST /api/v1/payment-callbacks/{provider}                                 *
            GET /api/v1/payment-providers                                             *
            GET /api/v1/payments/{paymentId}                                          own front payments desk auditor
            GET /api/v1/payments/{paymentId}/qr.png                                   own front
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
            GET /api/v1/users/{userId}/entitlements                                   own front desk auditor
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
            Map.entry("paymentId", "payment:33-e5173994-fc37-8861-b836-9cad666a564f"),
            Map.entry("provider", "nobody"),
            Map.entry("day", "2026-03-31"),
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

    private static HttpClient http;

    @BeforeAll
    static void open() {
        TokenLottery.open();
        http = HttpClient.newHttpClient();
    }

    @AfterAll
    static void close() {
        http.close();
    }

    record MatrixRule(HttpMethod method, String path, Set<String> allowed) {

        static List<MatrixRule> in(String matrix) {
            return matrix.lines()
                    .map(line -> line.split("\\s+"))
                    .map(words -> new MatrixRule(
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
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(lottery().address() + path))
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

    static Stream<MatrixRule> rules() {
        return Stream.concat(MatrixRule.in(MATRIX).stream(), MatrixRule.in(MATRIX_BESIDE_CONTRACT).stream());
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
        assertThat(MatrixRule.in(MATRIX)).map(MatrixRule::toString).containsExactlyInAnyOrderElementsOf(operations);
    }

    @ParameterizedTest(name = "answers those whom it is for: {0}")
    @MethodSource("rules")
    void matrix(MatrixRule rule) throws Exception {
        assertThat(status(rule.method(), rule.of("ann"), null))
                .as("nobody")
                .satisfies(status -> assertThat(status == 401).isNotEqualTo(rule.isPublic()));
        for (String role : ROLES) {
            boolean isAllowed = rule.isPublic()
                    || rule.isForEachRole()
                    || rule.allowed().contains(role)
                    || (role.equals("player") && rule.isOwn());
            int status = status(rule.method(), rule.of("ann"), token("ann", role));
            assertThat(status).as(role).isNotEqualTo(401);
            assertThat(status != 403).as("%s is answered %d", role, status).isEqualTo(isAllowed);
        }
        if (rule.isOwn() && rule.saysWhose()) {
            assertThat(status(rule.method(), rule.of("ben"), token("ann", "player")))
                    .as("another player's")
                    .isEqualTo(404);
            assertThat(status(rule.method(), rule.of("ben"), token("ann", "player", "front")))
                    .as("of a player who acts for others, too")
                    .isNotIn(401, 403);
        }
        assertThat(status(rule.method(), rule.of("ann"), token("ann", "king", "")) == 403)
                .as("with a role that there is not")
                .isNotEqualTo(rule.isPublic());
    }

    static Stream<Arguments> badTokens() {
        Function<JWTClaimsSet.Builder, String> signed = claims -> issuer().signed(claims.build());
        JWTClaimsSet good = issuer().claims("ann", "player").build();
        Instant past = Instant.now().minusSeconds(120);
        return Stream.of(
                Arguments.of("forged", issuer().forged(good)),
                Arguments.of("not signed", TokenIssuer.unsigned(good)),
                Arguments.of("changed", issuer().signed(good).replaceFirst("\\.[^.]{10}", ".eyJzdWIiOi")),
                Arguments.of(
                        "of another issuer",
                        signed.apply(issuer().claims("ann", "player").issuer("http://127.0.0.1:1"))),
                Arguments.of(
                        "for another audience",
                        signed.apply(issuer().claims("ann", "player").audience("shop"))),
                Arguments.of(
                        "expired", signed.apply(issuer().claims("ann", "player").expirationTime(Date.from(past)))),
                Arguments.of(
                        "without an end",
                        signed.apply(issuer().claims("ann", "player").expirationTime(null))),
                Arguments.of(
                        "not valid yet",
                        signed.apply(issuer().claims("ann", "player")
                                .notBeforeTime(Date.from(Instant.now().plusSeconds(300))))),
                Arguments.of(
                        "without a subject",
                        signed.apply(issuer().claims("ann", "player").subject(null))),
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
        String token = "Authorization: Bearer " + token("ann", "player") + "\r\n";
        for (String request : List.of(
                "POST " + draws + " HTTP/1.1\r\nHost: localhost\r\n" + token
                        + "Idempotency-Key: \u0096\u0087\r\nContent-Length: 0\r\n\r\n",
                "POST " + draws.replace("/ann", ";x=1/ann") + " HTTP/1.1\r\nHost: localhost\r\n" + token
                        + "Content-Length: 0\r\n\r\n",
                "POST " + draws.replace("/ann", "//ann") + " HTTP/1.1\r\nHost: localhost\r\n" + token
                        + "Content-Length: 0\r\n\r\n")) {
            assertThat(RawConnection.ask(lottery().address(), request).status())
                    .as(request)
                    .isEqualTo(400);
        }
    }

    @Test
    @DisplayName("keeps caches from showing what belongs to a user to others, and lets them keep what is public")
    void caches() {
        Reply own = as(token("ann", "player"), HttpMethod.GET, "/api/v1/users/ann/credits", null);
        assertThat(own.status()).as(own.text()).isEqualTo(200);
        assertThat(own.headers().get("Cache-Control")).containsExactly("private, no-cache");
        assertThat(own.headers().getFirst("ETag")).isNotNull();
        Reply open = as(token("ann", "player"), HttpMethod.GET, "/api/v1/activities", null);
        assertThat(open.status()).as(open.text()).isEqualTo(200);
        assertThat(open.headers().get("Cache-Control")).isNull();
    }

    @Test
    @DisplayName("says in the caller's language that a role is missing")
    void forbidden() {
        Reply reply = lottery()
                .ask(
                        HttpMethod.POST,
                        "/api/v1/strategies",
                        "{}",
                        "Authorization",
                        "Bearer " + token("ann", "player"),
                        "Accept-Language",
                        "zh-CN");
        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.code()).isEqualTo("FORBIDDEN");
        assertThat(reply.json().path("title").asString()).isEqualTo("无权限");
    }
}
