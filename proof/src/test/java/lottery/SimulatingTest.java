package lottery;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import lottery.Http.Response;
import lottery.proof.ProofConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

@DisplayName("Simulations and preflights over REST")
@SpringBootTest(
        classes = {TestLottery.class, ProofConfiguration.class},
        webEnvironment = WebEnvironment.RANDOM_PORT)
class SimulatingTest {

    private static final AtomicLong IDS = new AtomicLong(500_000);
    private static final Duration WAIT_MAX = Duration.ofSeconds(20);

    /** Longer than a simulation may take whose caller has gone. */
    private static final Duration OTHERS_END_MAX = Duration.ofSeconds(60);

    private static final String ALL_DRAWS = "{\"draws\": 10000000}";
    private static final JsonMapper JSON = new JsonMapper();

    private final int port;
    private final Http http;
    private final JdbcClient database;
    private final MeterRegistry meters;

    private long id;

    @Autowired
    SimulatingTest(@LocalServerPort int port, JdbcClient database, MeterRegistry meters) {
        this.port = port;
        this.http = new Http(port);
        this.database = database;
        this.meters = meters;
    }

    @BeforeEach
    void aActivity() {
        id = IDS.incrementAndGet();
        assertThat(http.post("/api/v1/strategies", strategy(0)).status()).isEqualTo(201);
        assertThat(http.post("/api/v1/activities", activity(id, "2120-01-01T00:00:00+08:00"))
                        .status())
                .isEqualTo(201);
        await().atMost(OTHERS_END_MAX).until(() -> running() == 0);
    }

    @Nested
    @DisplayName("A simulation of a strategy")
    class Simulating {

        @Test
        @DisplayName("A simulation shows the result for each award.")
        void answer() {
            Response answer = simulate("{\"draws\": 20000, \"users\": 50, \"days\": 4, \"runs\": 5, \"seed\": 1}");
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            JsonNode json = answer.json();
            assertThat(json.get("strategyId").asLong()).isEqualTo(id);
            assertThat(json.get("version").asInt()).isEqualTo(1);
            assertThat(json.get("seed").asLong()).isEqualTo(1);
            JsonNode coffee = json.get("awards").get(0);
            assertThat(coffee.get("expectedShare").asString()).isEqualTo("0.5");
            assertIsWithin("0.58", "0.61", coffee.get("share"));
            assertThat(coffee.has("soldOut")).isFalse();
            assertThat(coffee.has("cost")).isFalse();
            JsonNode cinema = json.get("awards").get(1);
            assertThat(cinema.get("count").get("most").asString()).isEqualTo("100");
            assertThat(cinema.get("cost").get("mean").asString()).isEqualTo("250");
            assertThat(cinema.get("soldOut").get("runs").asInt()).isEqualTo(5);
            assertThat(cinema.get("soldOut").get("onDay").get("most").asString())
                    .isEqualTo("1");
            assertThat(json.get("cost").get("least").asString()).isEqualTo("250");
            assertIsWithin("0.085", "0.105", json.get("fallback").get("share"));
            assertIsWithin("0.19", "0.21", json.get("nothing").get("share"));
        }

        @Test
        @DisplayName("A simulation with the seed of an earlier answer has the same result.")
        void repeated() {
            JsonNode first = simulate("{\"draws\": 5000}").json();
            assertThat(first.get("users").asInt()).isEqualTo(1_000);
            assertThat(first.get("days").asInt()).isEqualTo(1);
            assertThat(first.get("runs").asInt()).isEqualTo(10);
            JsonNode second = simulate("{\"draws\": 5000, \"seed\": %d}"
                            .formatted(first.get("seed").asLong()))
                    .json();
            JsonNode third = simulate("{\"draws\": 5000}").json();
            assertThat(withoutSpeed(second)).isEqualTo(withoutSpeed(first));
            assertThat(third.get("awards")).isNotEqualTo(first.get("awards"));
        }

        @Test
        @DisplayName("A simulation uses the version that is named, or the newest one.")
        void versions() {
            assertThat(put(strategy(1)).status()).isEqualTo(200);
            assertThat(simulate("{\"draws\": 100, \"version\": 1}")
                            .json()
                            .get("version")
                            .asInt())
                    .isEqualTo(1);
            assertThat(simulate("{\"draws\": 100}").json().get("version").asInt())
                    .isEqualTo(2);
            assertThat(simulate("{\"draws\": 100, \"version\": 3}").status()).isEqualTo(404);
        }

        @Test
        @DisplayName("A simulation stores nothing.")
        void noTrace() {
            long before = rows();
            assertThat(simulate("{\"draws\": 1000}").status()).isEqualTo(200);
            assertThat(preflight("").status()).isEqualTo(200);
            assertThat(rows()).isEqualTo(before);
        }

        @Test
        @DisplayName("A simulation of a strategy that does not exist is refused.")
        void unknown() {
            String path = "/api/v1/strategies/999999/simulations";
            assertThat(http.post(path, "{\"draws\": 1}").status()).isEqualTo(404);
            Response streamed = http.post(path, "{\"draws\": 1}", "Accept", "text/event-stream");
            assertThat(streamed.status()).isEqualTo(404);
            assertThat(streamed.json().get("code").asString()).isEqualTo("NOT_FOUND");
            assertThat(running()).isZero();
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "{}|/draws",
                    "{\"draws\": 0}|/draws",
                    "{\"draws\": 10000001}|/draws",
                    "{\"draws\": 9, \"users\": 0}|/users",
                    "{\"draws\": 9, \"users\": 1000001}|/users",
                    "{\"draws\": 9, \"days\": 367}|/days",
                    "{\"draws\": 9, \"runs\": 101}|/runs",
                    "{\"draws\": 5000001, \"runs\": 2}|/runs",
                    "{\"draws\": 9, \"version\": 0}|/version",
                    "{\"draws\": 9, \"stock\": 0}|/stock",
                })
        @DisplayName("A simulation that exceeds the limits is refused, and the answer points to them.")
        void limits(String body, String pointer) {
            for (String accept : List.of("application/json", "text/event-stream")) {
                Response response = http.post("/api/v1/strategies/" + id + "/simulations", body, "Accept", accept);
                assertThat(response.status()).isEqualTo(400);
                assertThat(response.json().get("findings").get(0).get("pointer").asString())
                        .isEqualTo(pointer);
            }
        }
    }

    @Nested
    @DisplayName("A simulation that reports its progress")
    class Following {

        @Test
        @DisplayName("The stream leads from the progress to the result, which is the same as without a stream.")
        void toTheEnd() {
            String body = "{\"draws\": 3000000, \"runs\": 1, \"seed\": 3}";
            List<String> names = new ArrayList<>();
            JsonNode last = JSON.createObjectNode();
            try (Stream stream = new Stream(body)) {
                assertThat(stream.contentType()).startsWith("text/event-stream");
                SimulationMessage told = stream.next();
                while (told.name().equals("progress")) {
                    assertThat(told.data().get("of").asLong()).isEqualTo(3_000_000);
                    assertThat(told.data().get("done").asLong()).isBetween(0L, 3_000_000L);
                    names.add(told.name());
                    told = stream.next();
                }
                assertThat(told.name()).isEqualTo("result");
                last = told.data();
                assertThat(stream.isAtEnd()).isTrue();
            }
            assertThat(names).hasSizeGreaterThan(1);
            assertThat(withoutSpeed(last)).isEqualTo(withoutSpeed(simulate(body).json()));
        }

        @Test
        @DisplayName("A simulation stops when its caller closes the connection.")
        void goneAway() {
            takesLong();
            double before = drawn();
            try (Stream stream = new Stream(ALL_DRAWS)) {
                assertThat(stream.next().name()).isEqualTo("progress");
            }
            await().atMost(WAIT_MAX).until(() -> running() == 0);
            assertThat(drawn() - before).isLessThan(5_000_000);
        }

        @Test
        @DisplayName("A simulation waits for another one, and is refused if too many wait.")
        void busy() {
            takesLong();
            List<Stream> streams = new ArrayList<>();
            try {
                for (int i = 0; i < 4; i++) {
                    streams.add(new Stream(ALL_DRAWS));
                }
                Response refused = simulate("{\"draws\": 1}");
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.json().get("code").asString()).isEqualTo("BUSY");
                assertThat(refused.header("Retry-After")).isEqualTo("1");
            } finally {
                streams.forEach(Stream::close);
            }
            await().atMost(WAIT_MAX).until(() -> running() == 0);
            assertThat(simulate("{\"draws\": 1}").status()).isEqualTo(200);
        }
    }

    @Nested
    @DisplayName("The preflight of an activity")
    class Checking {

        @Test
        @DisplayName("A preflight shows that the activity is ready, its costs and the awards that sell out.")
        void ready() {
            Response answer = preflight("{\"users\": 100, \"drawsPerUser\": 3, \"seed\": 5}");
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            JsonNode json = answer.json();
            assertThat(json.get("ready").asBoolean()).isTrue();
            assertThat(json.get("findings").isEmpty()).isTrue();
            JsonNode expected = json.get("expected");
            assertThat(expected.get("draws").asInt()).isEqualTo(300);
            assertThat(expected.get("days").asInt()).isEqualTo(366);
            assertThat(expected.get("runs").asInt()).isEqualTo(10);
            assertThat(expected.get("soldOut").size()).isEqualTo(1);
            assertThat(expected.get("soldOut").get(0).get("chance").asString()).isEqualTo("0");
            assertIsWithin("25", "200", expected.get("cost"));
        }

        @Test
        @DisplayName("A preflight warns of awards that are likely to sell out, in the caller's language.")
        void sellsOut() {
            JsonNode english = preflight("").json();
            assertThat(english.get("ready").asBoolean()).isTrue();
            JsonNode finding = english.get("findings").get(0);
            assertThat(finding.get("code").asString()).isEqualTo("AWARD_SELLS_OUT");
            assertThat(finding.get("severity").asString()).isEqualTo("WARNS");
            assertThat(finding.get("pointer").asString()).isEqualTo("/strategyId");
            assertThat(finding.get("message").asString())
                    .contains("likely to sell out")
                    .contains("2: 1");
            // A user who gets each SKU once has 11 chances.
            assertThat(english.get("expected").get("draws").asInt()).isEqualTo(11_000);
            JsonNode chinese = http.post(preflightPath(id), "{}", "Accept-Language", "zh-CN")
                    .json();
            assertThat(chinese.get("findings").get(0).get("message").asString()).contains("售罄");
        }

        @Test
        @DisplayName(
                "A preflight of an activity that is drawn at one time counts its entries and units, and has no odds.")
        void atOneTime() {
            long pool = IDS.incrementAndGet();
            http.post("/api/v1/strategies", """
                    {"strategyId": %d, "mode": "SINGLE", "awards": [
                      {"awardId": 1, "title": "Car", "type": "TEXT", "rate": "0.1", "sort": 1, "stock": 1, "cost": "100"},
                      {"awardId": 2, "title": "Tea", "type": "TEXT", "rate": "0.1", "sort": 2, "stock": 50, "cost": "2"}]}""".formatted(pool));
            http.post("/api/v1/activities", """
                    {"activityId": %d, "name": "Pool", "beginsAt": "2020-01-01T00:00:00+08:00",
                     "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d, "free": {"total": 1, "month": 1, "day": 1},
                     "draw": {"mode": "SCHEDULED", "drawAt": "2119-01-01T00:00:00+08:00"}}""".formatted(pool, pool));
            JsonNode json = http.post(preflightPath(pool), "{\"users\": 21}").json();
            assertThat(json.get("findings").isEmpty()).as(json.toString()).isTrue();
            assertThat(json.get("ready").asBoolean()).isTrue();
            assertThat(json.get("expected").get("draws").asInt()).isEqualTo(21);
            assertThat(json.get("expected").get("cost").get("mean").asString()).isEqualTo("140");
            assertThat(json.get("expected").get("soldOut").isEmpty()).isTrue();
            JsonNode odds = http.get("/api/v1/activities/" + pool + "/odds").json();
            assertThat(odds.has("nothing")).isFalse();
            assertThat(odds.get("awards").toString()).isEqualTo("""
                    [{"awardId":1,"title":"Car","type":"TEXT","units":1},\
                    {"awardId":2,"title":"Tea","type":"TEXT","units":50}]""");
        }

        @Test
        @DisplayName("A preflight says that an award without stock, or with a lock, cannot be drawn at one time.")
        void unfitForOneTime() {
            long pool = IDS.incrementAndGet();
            http.post("/api/v1/activities", """
                    {"activityId": %d, "name": "Pool", "beginsAt": "2020-01-01T00:00:00+08:00",
                     "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d, "free": {"total": 1, "month": 1, "day": 1},
                     "draw": {"mode": "SCHEDULED", "drawAt": "2119-01-01T00:00:00+08:00"}}""".formatted(pool, id));
            JsonNode json = http.post(preflightPath(pool), "").json();
            assertThat(json.get("findings")
                            .valueStream()
                            .map(finding -> finding.get("severity").asString() + " "
                                    + finding.get("code").asString()))
                    .containsExactly("REFUSES DRAW_AWARDS_UNFIT");
            assertThat(json.get("ready").asBoolean()).isFalse();
        }

        @Test
        @DisplayName("A preflight shows all reasons for which the submission would be refused.")
        void refused() {
            long lonely = IDS.incrementAndGet();
            http.post("/api/v1/activities", activity(lonely, "2020-02-01T00:00:00+08:00"));
            JsonNode json = http.post(preflightPath(lonely), "").json();
            assertThat(json.get("ready").asBoolean()).isFalse();
            assertThat(json.get("findings")
                            .valueStream()
                            .map(finding -> finding.get("code").asString()))
                    .containsExactly("ENDS_IN_THE_PAST", "STRATEGY_UNKNOWN");
            assertThat(json.has("expected")).isFalse();
        }

        @Test
        @DisplayName("A preflight shows that the tree of the audience does not exist.")
        void unknownAudience() {
            long closed = IDS.incrementAndGet();
            assertThat(http.post("/api/v1/activities", """
                            {"activityId": %d, "name": "Fair", "beginsAt": "2020-01-01T00:00:00+08:00",
                             "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d, "audience": %d,
                             "free": {"total": 9, "month": 9, "day": 9}}""".formatted(closed, id, closed))
                            .status())
                    .isEqualTo(201);
            assertThat(http.post(preflightPath(closed), "").text()).contains("/audience");
        }

        @Test
        @DisplayName("A preflight is refused for an activity that does not exist, and for too many draws.")
        void malformed() {
            assertThat(http.post(preflightPath(999_999), "").status()).isEqualTo(404);
            Response tooMany = preflight("{\"users\": 1000000, \"drawsPerUser\": 11}");
            assertThat(tooMany.status()).isEqualTo(400);
            assertThat(tooMany.json().get("findings").get(0).get("pointer").asString())
                    .isEqualTo("/drawsPerUser");

            long small = IDS.incrementAndGet();
            String few = activity(small, "2120-01-01T00:00:00+08:00")
                    .replace(
                            "\"strategyId\": " + small,
                            "\"strategyId\": %d, \"participationsMax\": 1000".formatted(id));
            assertThat(http.post("/api/v1/activities", few).status()).isEqualTo(201);
            Response many = http.post(preflightPath(small), "{\"users\": 1000000}");
            assertThat(many.status()).as(many.text()).isEqualTo(200);
            assertThat(many.json().get("expected").get("draws").asInt()).isEqualTo(1000);
        }
    }

    /** Defines a strategy whose tree tests a number so often that ten million draws take many seconds. */
    private void takesLong() {
        String nodes = IntStream.range(0, 50)
                .mapToObj("{\"node\": \"n%d\", \"matter\": \"drawsBefore\", \"kind\": \"NUMBER\"}"::formatted)
                .collect(joining(", "));
        String lines = IntStream.range(0, 50)
                .mapToObj(i ->
                        "{\"from\": \"n%d\", \"to\": \"n%d\", \"is\": \">=\", \"values\": [\"0\"]}".formatted(i, i + 1))
                .collect(joining(", "));
        Response revised = put(strategy(0)
                .replace(
                        "\"fallback\": 1",
                        "\"fallback\": 1, \"tree\": {\"root\": \"n0\", \"nodes\": [%s, {\"node\": \"n50\", \"result\": \"WIN\"}], \"lines\": [%s]}"
                                .formatted(nodes, lines)));
        assertThat(revised.status()).as(revised.text()).isEqualTo(200);
    }

    private record SimulationMessage(String name, JsonNode data) {}

    /** Reads server-sent events as they arrive. */
    private final class Stream implements AutoCloseable {

        private final HttpClient client =
                HttpClient.newBuilder().connectTimeout(WAIT_MAX).build();
        private final HttpResponse<InputStream> response;
        private final BufferedReader lines;

        Stream(String body) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://localhost:" + port + "/api/v1/strategies/" + id + "/simulations"))
                    .timeout(WAIT_MAX)
                    .header("Content-Type", "application/json")
                    .header("Accept", "text/event-stream")
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build();
            try {
                response = client.send(request, BodyHandlers.ofInputStream());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
            assertThat(response.statusCode()).isEqualTo(200);
            lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        }

        String contentType() {
            return response.headers().firstValue("Content-Type").orElse("");
        }

        SimulationMessage next() {
            String name = line().replace("event:", "");
            JsonNode data = JSON.readTree(line().replace("data:", ""));
            assertThat(line()).isEmpty();
            return new SimulationMessage(name, data);
        }

        private String line() {
            try {
                return String.valueOf(lines.readLine());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        boolean isAtEnd() {
            return line().equals("null");
        }

        @Override
        public void close() {
            client.shutdownNow();
        }
    }

    private Response simulate(String body) {
        return http.post("/api/v1/strategies/" + id + "/simulations", body);
    }

    private Response preflight(String body) {
        return http.post(preflightPath(id), body);
    }

    private static String preflightPath(long activity) {
        return "/api/v1/activities/" + activity + "/preflight";
    }

    private Response put(String body) {
        return http.put("/api/v1/strategies/" + id, body, "If-Match", "1");
    }

    private static void assertIsWithin(String least, String most, JsonNode spread) {
        assertThat(new BigDecimal(spread.get("mean").asString()))
                .isBetween(new BigDecimal(least), new BigDecimal(most));
    }

    private static JsonNode withoutSpeed(JsonNode forecast) {
        return ((ObjectNode) forecast.deepCopy()).without("drawsPerSecond");
    }

    private double running() {
        return meters.get("lottery.simulations").gauge().value();
    }

    private double drawn() {
        return meters.get("lottery.simulated.draws").counter().count();
    }

    private long rows() {
        return database.sql("SELECT (SELECT count(*) FROM event) + (SELECT count(*) FROM claim)")
                .query(Long.class)
                .single();
    }

    private String strategy(int locked) {
        return """
                {"strategyId": %d, "mode": "SINGLE", "fallback": 1, "awards": [
                  {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.5", "sort": 1},
                  {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.1", "sort": 2, "stock": 100, "cost": "2.5"},
                  {"awardId": 3, "title": "Weekend", "type": "TEXT", "rate": "0.2", "sort": 3, "lockedUntilDraws": %d}]}
                """.formatted(id, locked);
    }

    private static String activity(long activity, String endsAt) {
        return """
                {"activityId": %d, "name": "Spring", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "%s", "strategyId": %d, "skus": [
                   {"sku": 1, "total": 10, "month": 5, "day": 2}, {"sku": 2, "total": 1, "month": 1, "day": 1}]}
                """.formatted(activity, endsAt, activity);
    }
}
