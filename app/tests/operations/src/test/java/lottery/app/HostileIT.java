package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;

/** Sends nonsense, and requires that it changes nothing and causes no error in the log. */
@DisplayName("Requests that make no sense")
class HostileIT {

    /** As long as a slow machine has to prepare an activity that ends. */
    private static final Duration END_MAX = Duration.ofMinutes(5);

    private static final String COFFEE = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 100, "month": 100, "day": 100}]""";

    private static final String ORDER = "order:33-07226822-d971-81cf-8edd-f6a317c687d5";

    private static LotteryProcess lottery;
    private static TrialActivity activity;

    /**
     * A request, and the status and code of its answer; {@code {activity}} is the activity, in which ann has chances.
     */
    record Nonsense(HttpMethod method, String path, String body, List<String> headers, int status, String code) {

        static Nonsense post(String path, String body, int status, String code, String... headers) {
            return new Nonsense(HttpMethod.POST, path, body, List.of(headers), status, code);
        }

        @Override
        public String toString() {
            String all = method + " " + path + " " + body + " " + headers;
            return all.length() <= 140 ? all : all.substring(0, 140) + "…";
        }
    }

    /** Opens a lottery without the role saga, because sagas write events whenever it is time to. */
    @BeforeAll
    static void open() throws Exception {
        Map<String, String> environment = Servers.environmentOfTrial();
        environment.put("LOTTERY_ROLES", "command,query");
        lottery = LotteryProcess.open(environment);
        activity = TrialActivity.open(lottery, COFFEE, CHANCES);
        activity.recharge("ann");
    }

    @AfterAll
    static void close() {
        lottery.close();
    }

    static Stream<Nonsense> nonsense() {
        String api = "/api/v1";
        String ann = "{activity}/accounts/ann";
        return Stream.of(
                        Stream.of(
                                Nonsense.post(api + "/activities/999999999/accounts/ann/draws", "", 404, "NOT_FOUND"),
                                Nonsense.post(
                                        api + "/activities/999999999/accounts/ann/raffle-orders", "", 404, "NOT_FOUND"),
                                Nonsense.post(
                                        api + "/activities/999999999/accounts/ann/recharges",
                                        "{\"sku\": 1, \"outBusinessNo\": \"a\"}",
                                        404,
                                        "NOT_FOUND"),
                                Nonsense.post(ann + "/recharges", recharge("2", "unknown"), 404, "NOT_FOUND"),
                                Nonsense.post(api + "/raffle-orders/" + ORDER + "/draw", "", 404, "NOT_FOUND"),
                                Nonsense.post(api + "/raffle-orders/" + ORDER + "/cancellation", "", 404, "NOT_FOUND"),
                                Nonsense.post(
                                        api + "/recharges/recharge:33-07226822-d971-81cf-8edd-f6a317c687d5/completion",
                                        "",
                                        404,
                                        "NOT_FOUND"),
                                Nonsense.post(api + "/nothing", "", 404, "NOT_FOUND"),
                                Nonsense.post("{activity}/accounts//draws", "", 400, "INVALID"),
                                Nonsense.post("{activity}/accounts/nobody/draws", "", 409, "QUOTA_TOTAL"),
                                Nonsense.post(
                                        "{activity}/transitions", "{\"action\": \"start\"}", 409, "ACTIVITY_STATE"),
                                new Nonsense(HttpMethod.DELETE, "{activity}", "", List.of(), 405, "INVALID")),
                        Stream.of("0", "-1", "one", "1.5", "99999999999999999999")
                                .map(activity -> Nonsense.post(
                                        api + "/activities/" + activity + "/accounts/ann/draws", "", 400, "INVALID")),
                        Stream.of("u".repeat(65), "u".repeat(7_000), "%20", "a%0Ab", "a%0D%0Ab", "%C2%85", "%1B")
                                .flatMap(user -> Stream.of("/draws", "/raffle-orders")
                                        .map(what -> Nonsense.post(
                                                "{activity}/accounts/" + user + what, "", 400, "INVALID"))),
                        Stream.of("-1", "0", "11", "2147483648", "1e99", "2.5", "\"two\"", "true", "[]", "{}")
                                .map(count -> Nonsense.post(
                                        ann + "/draws", "{\"count\": %s}".formatted(count), 400, "INVALID")),
                        Stream.of("0", "-1", "9223372036854775808", "1e400", "\"x\"", "null", "{}")
                                .map(sku -> Nonsense.post(ann + "/recharges", recharge(sku, "x"), 400, "INVALID")),
                        Stream.of("", " ", "n".repeat(129), "a\\u0000b", "\\ud800")
                                .map(number ->
                                        Nonsense.post(ann + "/recharges", recharge("1", number), 400, "INVALID")),
                        Stream.of(
                                        "{",
                                        "",
                                        "null",
                                        "[]",
                                        "\"x\"",
                                        "{\"unknown\": 1}",
                                        "[".repeat(100_000),
                                        "{\"sku\": 1, \"outBusinessNo\": \"%s\"}".formatted("x".repeat(2_000_000)),
                                        "{\"sku\": 1, \"sku\": 1, \"outBusinessNo\": \"twice\"}",
                                        recharge("1", "after") + "}",
                                        recharge("1", "\u0001"))
                                .map(body -> Nonsense.post(ann + "/recharges", body, 400, "INVALID")),
                        Stream.of("nonsense", "order:", "order:33-", "order:" + "9".repeat(3_000), ORDER + "%0A")
                                .flatMap(order -> Stream.of("/draw", "/cancellation")
                                        .map(what -> Nonsense.post(
                                                api + "/raffle-orders/" + order + what, "", 400, "INVALID"))),
                        Stream.of(
                                Nonsense.post(ann + "/draws", "", 400, "INVALID", "Idempotency-Key", "k".repeat(256)),
                                Nonsense.post(ann + "/draws", "", 400, "INVALID", "Idempotency-Key", ""),
                                Nonsense.post(ann + "/draws", "x", 415, "INVALID", "Content-Type", "text/plain"),
                                Nonsense.post(ann + "/draws", "", 406, "INVALID", "Accept", "application/xml"),
                                Nonsense.post(ann + "/raffle-orders", "", 406, "INVALID", "Accept", "application/xml"),
                                Nonsense.post(
                                        ann + "/recharges",
                                        recharge("1", "xml"),
                                        406,
                                        "INVALID",
                                        "Accept",
                                        "application/xml"),
                                Nonsense.post(
                                        api + "/activities/999999999/accounts/ann/draws",
                                        "",
                                        404,
                                        "NOT_FOUND",
                                        "Accept-Language",
                                        ";;q=x,")),
                        Stream.of(
                                Nonsense.post(
                                        api + "/activities",
                                        activity("Fair", "2030-01-01T00:00:00Z", "2029-01-01T00:00:00Z"),
                                        400,
                                        "INVALID"),
                                Nonsense.post(
                                        api + "/activities",
                                        activity("Fair", "yesterday", "2029-01-01T00:00:00Z"),
                                        400,
                                        "INVALID"),
                                Nonsense.post(
                                        api + "/activities",
                                        activity("a\\u0000b", "2029-01-01T00:00:00Z", "2030-01-01T00:00:00Z"),
                                        400,
                                        "INVALID"),
                                Nonsense.post(
                                        api + "/strategies",
                                        "{\"strategyId\": 999999998, %s}"
                                                .formatted(COFFEE.replace("Coffee", "\\u0000")),
                                        400,
                                        "INVALID")))
                .flatMap(each -> each);
    }

    private static String recharge(String sku, String number) {
        return "{\"sku\": %s, \"outBusinessNo\": \"%s\"}".formatted(sku, number);
    }

    private static String activity(String name, String beginsAt, String endsAt) {
        return """
                {"activityId": 999999998, "name": "%s", "beginsAt": "%s", "endsAt": "%s", "strategyId": 1,
                 "skus": [{"sku": 1, "total": 1, "month": 1, "day": 1}]}""".formatted(name, beginsAt, endsAt);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("nonsense")
    @DisplayName("A request without sense is refused, and nothing happens")
    void refused(Nonsense nonsense) throws Exception {
        long before = StoredFacts.head();
        int logged = lottery.output().length();
        Reply reply = lottery.ask(
                nonsense.method(),
                nonsense.path().replace("{activity}", activity.path("")),
                nonsense.body(),
                nonsense.headers().toArray(String[]::new));
        assertThat(reply.status()).as(reply.text()).isEqualTo(nonsense.status());
        assertThat(reply.code()).as(reply.text()).isEqualTo(nonsense.code());
        assertThat(StoredFacts.head()).isEqualTo(before);
        assertNoErrorAfter(logged);
    }

    /** Returns what is no HTTP request, with the status of the answer; {@code {activity}} is the activity. */
    static Stream<Arguments> noRequest() {
        String host = "Host: localhost\r\n";
        String end = "Content-Length: 0\r\n\r\n";
        Stream<Arguments> addresses = Stream.of(
                        "%00", "a%00b", "a%2Fb", "a%5Cb", "%", "%zz", "<", "a\\b", "a\u0080b", "u".repeat(10_000))
                .map(user ->
                        Arguments.of("POST {activity}/accounts/" + user + "/draws HTTP/1.1\r\n" + host + end, 400));
        String draw = "POST {activity}/accounts/ann/draws HTTP/1.1\r\n";
        return Stream.concat(
                addresses,
                Stream.of(
                        Arguments.of(draw + host + "Long: " + "h".repeat(20_000) + "\r\n" + end, 400),
                        Arguments.of(draw + end, 400),
                        Arguments.of(draw + host + host + end, 400),
                        Arguments.of(draw + "Host: a b\r\n" + end, 400),
                        Arguments.of(draw + host + "no header at all\r\n" + end, 400),
                        Arguments.of(draw + host + "Content-Length: many\r\n\r\n", 400),
                        Arguments.of(draw + host + "Content-Length: 1\r\n" + end, 400),
                        Arguments.of(draw + host + "Transfer-Encoding: nonsense\r\n\r\n", 501),
                        Arguments.of("NONSENSE\r\n\r\n", 400),
                        Arguments.of("\u0016\u0003\u0001\u0002 \u0001\r\n\r\n", 400),
                        Arguments.of("GET {activity} HTTP/9.9\r\n" + host + "\r\n", 505),
                        Arguments.of("GET /api/v1/activities?limit=%zz HTTP/1.1\r\n" + host + "\r\n", 400),
                        Arguments.of("TRACE {activity} HTTP/1.1\r\n" + host + "\r\n", 405)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    @DisplayName("What is no HTTP request is refused by a problem document that tells nothing of the inside")
    void noRequest(String request, int status) throws Exception {
        long before = StoredFacts.head();
        int logged = lottery.output().length();
        assertProblem(RawConnection.ask(lottery.address(), request.replace("{activity}", activity.path(""))), status);
        assertThat(StoredFacts.head()).isEqualTo(before);
        assertNoErrorAfter(logged);
    }

    private static void assertProblem(RawConnection.RawAnswer answer, int status) {
        String all = answer.toString();
        assertThat(answer.status()).as(all).isEqualTo(status);
        assertThat(all).doesNotContain("Tomcat", "Apache", "Exception", "java", "<html");
        assertThat(answer.headers())
                .doesNotContainKey("server")
                .containsEntry("content-type", "application/problem+json");
        JsonNode problem = answer.json();
        assertThat(problem.path("status").asInt()).isEqualTo(status);
        assertThat(problem.path("code").asString()).as(all).isIn("INVALID", "NOT_FOUND");
        assertThat(problem.path("retryable").isBoolean()).isTrue();
        assertThat(problem.path("traceId").asString()).matches("[0-9a-f]{32}");
        assertThat(problem.path("title").asString()).isNotBlank();
        assertThat(problem.path("detail").asString()).isNotBlank();
        assertThat(lottery.get(problem.path("type").asString()).text())
                .contains(problem.path("code").asString());
    }

    @Test
    @DisplayName("A refusal is in the language of the client, where that can be read")
    void language() throws Exception {
        String chinese = "Host: localhost\r\nAccept-Language: zh-CN\r\n\r\n";
        assertThat(RawConnection.ask(lottery.address(), "GET /%00 HTTP/1.1\r\n" + chinese)
                        .json()
                        .path("title")
                        .asString())
                .isEqualTo("请求格式有误");
        assertThat(RawConnection.ask(lottery.address(), "NONSENSE\r\n" + chinese)
                        .json()
                        .path("title")
                        .asString())
                .isEqualTo("The request is malformed");
    }

    @Test
    @DisplayName("Repeated nonsense does not hinder sensible requests, on the same connection if HTTP allows it")
    void oneAfterTheOther() throws Exception {
        for (int i = 0; i < 50; i++) {
            assertProblem(RawConnection.ask(lottery.address(), "GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n"), 400);
        }
        String host = " HTTP/1.1\r\nHost: localhost\r\n";
        String path = activity.path("");
        try (RawConnection connection = new RawConnection(lottery.address())) {
            for (int i = 0; i < 3; i++) {
                assertProblem(connection.ask("GET /nothing" + host + "\r\n"), 404);
                assertProblem(connection.ask("GET /error" + host + "\r\n"), 404);
                assertProblem(connection.ask("DELETE " + path + host + "\r\n"), 405);
                assertProblem(connection.ask("BREW " + path + host + "\r\n"), 405);
                assertProblem(connection.ask("GET " + path + host + "Accept: text/html\r\n\r\n"), 406);
                assertProblem(
                        connection.ask("POST /api/v1/activities" + host
                                + "Content-Type: text/plain\r\nContent-Length: 1\r\n\r\nx"),
                        415);
                assertProblem(connection.ask("POST /actuator/health" + host + "Content-Length: 0\r\n\r\n"), 405);
                assertProblem(connection.ask("GET /actuator/env" + host + "\r\n"), 404);
                assertThat(connection.ask("HEAD /nothing" + host + "\r\n").headers())
                        .containsEntry("content-type", "application/problem+json");
                RawConnection.RawAnswer options = connection.ask("OPTIONS " + path + host + "\r\n");
                assertThat(options.status()).isEqualTo(200);
                assertThat(options.headers().get("allow")).contains("GET", "PUT");
                RawConnection.RawAnswer good = connection.ask("GET " + path + host + "\r\n");
                assertThat(good.status()).as(good.body()).isEqualTo(200);
                assertThat(good.endsConnection()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"query", "saga"})
    @DisplayName("A process without the role command refuses nonsense in the same way")
    void otherRoles(String roles) throws Exception {
        Map<String, String> environment = Servers.environmentOfTrial();
        environment.put("LOTTERY_ROLES", roles);
        try (LotteryProcess other = LotteryProcess.open(environment)) {
            for (String line : List.of("GET /%00 HTTP/1.1", "NONSENSE", "GET /" + "u".repeat(10_000) + " HTTP/1.1")) {
                assertProblem(RawConnection.ask(other.address(), line + "\r\nHost: localhost\r\n\r\n"), 400);
            }
            assertProblem(RawConnection.ask(other.address(), "GET /error HTTP/1.1\r\nHost: localhost\r\n\r\n"), 404);
            assertThat(other.output()).doesNotContain("ERROR", "\tat ");
        }
    }

    /** An activity that ends soon, with an open order. */
    private record Ending(TrialActivity activity, Instant end, String order) {

        static Ending at(Instant end) {
            TrialActivity activity = TrialActivity.open(lottery, COFFEE, end.toString(), CHANCES);
            activity.recharge("ann");
            Reply order = Patience.created(() -> activity.partake("ann"));
            return new Ending(activity, end, order.json().get("orderId").asString());
        }
    }

    @Test
    @DisplayName("Requests after the end of an activity are refused, whatever its state is")
    void expired() throws Exception {
        Ending ending = TrialActivity.before(3, Ending::at);
        TrialActivity over = ending.activity();
        await().atMost(END_MAX).until(() -> Instant.now().isAfter(ending.end()));
        long before = StoredFacts.head();
        int logged = lottery.output().length();
        for (Reply reply : List.of(
                over.draw("ann", "late"),
                over.recharge("ann", "late"),
                over.drawOrder(ending.order()),
                over.partake("ben"))) {
            assertThat(reply.status()).as(reply.text()).isEqualTo(409);
            assertThat(reply.code()).isEqualTo("ACTIVITY_DATES");
        }
        assertThat(StoredFacts.head()).isEqualTo(before);
        assertNoErrorAfter(logged);
    }

    /** Requires that no error was logged after this length of the log. */
    private static void assertNoErrorAfter(int logged) throws Exception {
        assertThat(lottery.output().substring(logged)).doesNotContain("ERROR", "\tat ");
    }
}
