package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import lottery.Http.Response;
import lottery.api.activity.ActivityCommand.PublishSeed;
import lottery.api.activity.ActivityId;
import lottery.api.strategy.StrategyDefinition;
import lottery.fairness.Seed;
import lottery.proof.ExportVerifier;
import lottery.proof.ProofConfiguration;
import lottery.proof.VerificationCount;
import lottery.strategy.StrategyHash;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("The proof of a draw")
@SpringBootTest(
        classes = {TestLottery.class, ProofConfiguration.class},
        webEnvironment = WebEnvironment.RANDOM_PORT)
class ProvingTest {

    private static final AtomicLong IDS = new AtomicLong(5_000);
    private static final JsonMapper JSON = new JsonMapper();

    private static final String RULES = """
            {"strategyId": %d, "mode": "OVERALL", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.15", "sort": 1,
               "config": {"secret": "key-of-the-till"}, "cost": "3.25"},
              {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.1", "sort": 2, "stock": 2},
              {"awardId": 3, "title": "Weekend", "type": "TEXT", "rate": "0.05", "sort": 3, "lockedUntilDraws": 9},
              {"awardId": 4, "title": "Money", "type": "TEXT", "rate": "0.1", "sort": 4,
               "amount": {"min": "0.50", "max": "9.99"}},
              {"awardId": 5, "title": "Moon", "type": "TEXT", "rate": "0.3", "sort": 5, "lockedUntilDraws": 1000}]}""";

    private final Http http;
    private final JdbcClient database;
    private final JdbcClient owner;
    private final EndpointCommandSender commands;
    private final List<String> orders = new ArrayList<>();

    private long activity;

    @Autowired
    ProvingTest(
            @LocalServerPort int port, JdbcClient database, Environment environment, EndpointCommandSender commands) {
        this.commands = commands;
        this.http = new Http(port);
        this.database = database;
        this.owner = JdbcClient.create(new DriverManagerDataSource(
                environment.getRequiredProperty("lottery.postgres.url"),
                environment.getRequiredProperty("lottery.postgres.owner"),
                environment.getRequiredProperty("lottery.postgres.owner-password")));
    }

    /**
     * Makes draws that end with nothing, the fallback or an award about equally often. One outcome is missing in two of
     * a million runs.
     */
    @BeforeEach
    void anOpenActivityWithDraws() {
        activity = IDS.incrementAndGet();
        created("/api/v1/strategies", RULES.formatted(activity));
        created("/api/v1/activities", """
                {"activityId": %d, "name": "Spring", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d, "skus": [
                   {"sku": 1, "total": 50, "month": 50, "day": 50}]}
                """.formatted(activity, activity));
        for (String action : List.of("submit", "pass", "start")) {
            http.post("/api/v1/activities/" + activity + "/transitions", "{\"action\": \"%s\"}".formatted(action));
        }
        String account = "/api/v1/activities/" + activity + "/accounts/ann";
        created(account + "/recharges", "{\"sku\": 1, \"outBusinessNo\": \"r-%d\"}".formatted(activity));
        for (int i = 0; i < 40; i++) {
            Response draw = http.post(account + "/draws", "", "Idempotency-Key", "draw-" + i);
            orders.add(draw.json().get("orderId").asString());
        }
    }

    private void created(String path, String body) {
        assertThat(http.post(path, body).status()).isEqualTo(201);
    }

    private Response proof(String orderId, String... headers) {
        return http.get("/api/v1/raffle-orders/" + orderId + "/proof", headers);
    }

    @Test
    @DisplayName("The proof confirms each outcome, and gives its reasons.")
    void everyOutcome() {
        Set<String> outcomes = new HashSet<>();
        for (String order : orders) {
            JsonNode proof = proof(order).json();
            assertThat(proof.get("agrees").asBoolean()).as(proof.toString()).isTrue();
            assertThat(proof.get("recomputed")).isEqualTo(proof.get("recorded"));
            assertThat(proof.get("inputs").get("ticket").asString()).hasSize(64);
            assertThat(proof.get("inputs").get("strategyVersion").asInt()).isEqualTo(1);
            assertThat(proof.get("why").isEmpty()).isFalse();
            outcomes.add(proof.get("recorded").get("outcome").asString());
        }
        assertThat(outcomes).containsExactlyInAnyOrder("WON", "FALLBACK", "NOTHING");
    }

    @Test
    @DisplayName("The proof is in the caller's language.")
    void languages() {
        String order = orders.getFirst();
        assertThat(proof(order, "Accept-Language", "zh-CN")
                        .json()
                        .get("why")
                        .get(0)
                        .asString())
                .contains("票据");
        assertThat(proof(order, "Accept-Language", "en")
                        .json()
                        .get("why")
                        .get(0)
                        .asString())
                .startsWith("The ticket picked");
        assertThat(proof(order).json().get("howToRecompute").asString()).contains("HMAC-SHA256");
    }

    @Test
    @DisplayName("An order is shown with the answer that was given to its request.")
    void order() {
        Response again =
                http.post("/api/v1/activities/" + activity + "/accounts/ann/draws", "", "Idempotency-Key", "draw-7");
        JsonNode order = http.get("/api/v1/raffle-orders/" + orders.get(7)).json();
        again.json()
                .properties()
                .forEach(field -> assertThat(order.get(field.getKey())).isEqualTo(field.getValue()));
        assertThat(order.get("activityId").asLong()).isEqualTo(activity);
        assertThat(order.get("userId").asString()).isEqualTo("ann");
    }

    @Test
    @DisplayName("All draws of an activity are verified together.")
    void verification() {
        Response response = http.post("/api/v1/activities/" + activity + "/verifications", "");
        assertThat(response.status()).isEqualTo(200);
        JsonNode result = response.json();
        assertThat(result.get("draws").asInt()).isEqualTo(40);
        assertThat(result.get("agreed").asInt()).isEqualTo(40);
        assertThat(result.get("complete").asBoolean()).isTrue();
        assertThat(result.get("differing").isEmpty()).isTrue();
        assertThat(result.get("perSecond").asLong()).isPositive();
    }

    @Test
    @DisplayName("A draw that was changed in the database is reported as different.")
    void tamperedInTheLog() {
        String order = database.sql(
                        "SELECT aggregate_id FROM event WHERE type = 'raffle.drawn'"
                                + " AND convert_from(payload, 'UTF8') LIKE ? AND convert_from(payload, 'UTF8') LIKE '%Coffee%' LIMIT 1")
                .param("%\"activityId\":" + activity + ",%")
                .query(String.class)
                .single();
        assertThat(owner.sql(
                                "UPDATE event SET payload = convert_to(replace(convert_from(payload, 'UTF8'), ?, ?), 'UTF8')"
                                        + " WHERE aggregate_id = ?")
                        .params("\"awardId\":1", "\"awardId\":3", order)
                        .update())
                .isEqualTo(1);

        JsonNode proof = proof(order).json();
        assertThat(proof.get("agrees").asBoolean()).isFalse();
        assertThat(proof.get("differences").get(0).get("matter").asString()).isEqualTo("AWARD");
    }

    @Test
    @DisplayName("A draw by a version that nobody has approved is reported as different.")
    void drawnByUnapprovedVersion() {
        Response revised = http.put("/api/v1/strategies/" + activity, """
                {"mode": "OVERALL", "awards": [
                  {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]}""", "If-Match", "\"1\"");
        assertThat(revised.status()).isEqualTo(200);
        String order = orders.getFirst();
        tamper(order, "\"strategyVersion\":1", "\"strategyVersion\":2");

        JsonNode proof = proof(order).json();
        assertThat(proof.get("agrees").asBoolean()).isFalse();
        assertThat(proof.get("differences").get(0).get("matter").asString()).isEqualTo("STRATEGY_VERSION");
    }

    @Test
    @DisplayName("A version that is not what was approved verifies no draw.")
    void approvedVersionChanged() {
        tamper("strategy:" + activity, "\"Cinema\"", "\"Theatre\"");
        JsonNode result = http.post("/api/v1/activities/" + activity + "/verifications", "")
                .json();
        assertThat(result.get("draws").asInt()).isEqualTo(40);
        assertThat(result.get("agreed").asInt()).isZero();
    }

    @Test
    @DisplayName("A version that was changed together with its approval does not fit the commitment of the round.")
    void versionChangedWithItsApproval() {
        String approved = hashOf(1);
        tamper("strategy:" + activity, "\"Moon\"", "\"Mars\"");
        tamper("activity:" + activity, approved, hashOf(1));
        JsonNode result = http.post("/api/v1/activities/" + activity + "/verifications", "")
                .json();
        assertThat(result.get("draws").asInt()).isEqualTo(40);
        assertThat(result.get("agreed").asInt()).isZero();
        result.get("differing").forEach(ProvingTest::differsInRoundCommitment);
    }

    @Test
    @DisplayName(
            "Another version that is put in the place of the approved one does not fit the commitment of the round.")
    void versionSwapped() {
        String approved = hashOf(1);
        Response revised = http.put(
                "/api/v1/strategies/" + activity,
                RULES.formatted(activity).replace("\"Moon\"", "\"Mars\""),
                "If-Match",
                "\"1\"");
        assertThat(revised.status()).isEqualTo(200);
        tamper("activity:" + activity, "\"strategyVersion\":1", "\"strategyVersion\":2");
        tamper("activity:" + activity, approved, hashOf(2));
        for (String order : orders) {
            tamper(order, "\"strategyVersion\":1", "\"strategyVersion\":2");
            differsInRoundCommitment(proof(order).json());
        }
    }

    /** Hashes the stored definition of a version. */
    private String hashOf(int version) {
        String event = database.sql(
                        "SELECT convert_from(payload, 'UTF8') FROM event WHERE aggregate_id = ? AND sequence = ?")
                .params("strategy:" + activity, version - 1)
                .query(String.class)
                .single();
        return StrategyHash.of(JSON.treeToValue(JSON.readTree(event).get("definition"), StrategyDefinition.class));
    }

    private static void differsInRoundCommitment(JsonNode draw) {
        assertThat(draw.get("differences")
                        .valueStream()
                        .map(difference -> difference.get("matter").asString()))
                .containsExactly("ROUND_COMMITMENT");
    }

    private void tamper(String aggregate, String old, String changed) {
        assertThat(owner.sql(
                                "UPDATE event SET payload = convert_to(replace(convert_from(payload, 'UTF8'), ?, ?), 'UTF8')"
                                        + " WHERE aggregate_id = ? AND convert_from(payload, 'UTF8') LIKE ?")
                        .params(old, changed, aggregate, "%" + old + "%")
                        .update())
                .isEqualTo(1);
    }

    @Test
    @DisplayName("A verification that reports its progress has the same result.")
    void watched() {
        Response response =
                http.post("/api/v1/activities/" + activity + "/verifications", "", "Accept", "text/event-stream");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.header("Content-Type")).startsWith("text/event-stream");
        String last = response.text().substring(response.text().lastIndexOf("event: "));
        assertThat(last).startsWith("event: result\ndata: {");
        assertThat(JSON.readTree(last.substring(last.indexOf('{')))
                        .get("agreed")
                        .asInt())
                .isEqualTo(40);
    }

    @Test
    @DisplayName("An export can be verified elsewhere without anything else.")
    void export() throws Exception {
        Response response = http.get("/api/v1/activities/" + activity + "/draws/export");
        assertThat(response.header("Content-Type")).startsWith("application/x-ndjson");
        List<String> lines = response.text().lines().toList();
        assertThat(lines.get(0)).isEqualTo("{\"activity\":{\"activityId\":%d,\"format\":1}}".formatted(activity));
        assertThat(lines.get(1)).startsWith("{\"strategy\":{");
        assertThat(lines.get(2)).startsWith("{\"round\":{\"round\":1");
        assertThat(lines.getLast()).isEqualTo("{\"end\":{\"draws\":40}}");
        assertThat(response.text()).doesNotContainIgnoringCase("sealed").doesNotContain("key-of-the-till", "\"cost\"");

        VerificationCount count = ExportVerifier.verify(
                new ByteArrayInputStream(response.text().getBytes(StandardCharsets.UTF_8)), 2, 10);
        assertThat(count.draws()).isEqualTo(40);
        assertThat(count.agreed()).isEqualTo(40);
    }

    @Test
    @DisplayName(
            "The proof has the commitment while the seed is secret, and checks the ticket once the seed is published.")
    void seed() {
        JsonNode secret = proof(orders.getFirst()).json();
        assertThat(secret.get("inputs").get("commitment").asString()).hasSize(64);
        assertThat(secret.get("inputs").has("seed")).isFalse();
        assertThat(secret.has("ticketFromSeed")).isFalse();

        http.post("/api/v1/activities/" + activity + "/transitions", "{\"action\": \"close\"}");
        commands.send(new PublishSeed(new ActivityId(activity), 1)).orThrow();

        JsonNode open = proof(orders.getFirst()).json();
        assertThat(Seed.of(open.get("inputs").get("seed").asString()).commitment())
                .isEqualTo(secret.get("inputs").get("commitment").asString());
        assertThat(open.get("ticketFromSeed").get("ticket"))
                .isEqualTo(open.get("inputs").get("ticket"));
        assertThat(open.get("ticketFromSeed").get("agrees").asBoolean()).isTrue();
        assertThat(open.get("agrees").asBoolean()).isTrue();
        JsonNode all = http.post("/api/v1/activities/" + activity + "/verifications", "")
                .json();
        assertThat(all.get("agreed").asInt()).isEqualTo(40);
        assertThat(all.get("unseeded").asInt()).isZero();
        assertThat(http.get("/api/v1/activities/" + activity + "/draws/export")
                        .text()
                        .lines()
                        .toList()
                        .get(2))
                .contains(open.get("inputs").get("seed").asString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/proof"})
    @DisplayName("There is no proof of a draw that does not exist.")
    void unknownOrder(String what) {
        Response response = http.get("/api/v1/raffle-orders/order:33-00000000-0000-0000-0000-000000000000" + what);
        assertThat(response.status()).isEqualTo(404);
        assertThat(response.json().get("code").asString()).isEqualTo("NOT_FOUND");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "order:",
                "award:33-00000000-0000-0000-0000-000000000000",
                "order:33-00000000-0000-0000-0000-00000000000G",
                "order:33-00000000-0000-0000-0000-000000000000%00",
                "order:33-00000000-0000-0000-0000-000000000000%0A",
                "order:33-00000000-0000-0000-0000-000000000000'--",
                "%F0%9F%8E%81"
            })
    @DisplayName("There is no proof under an invalid id.")
    void hostileOrder(String order) {
        // Tomcat itself refuses some of these ids, the converter refuses the others.
        assertThat(http.get("/api/v1/raffle-orders/" + order).status()).isEqualTo(400);
        assertThat(proof(order).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({"999999,404", "0,400", "-1,400", "x,400", "99999999999999999999,400"})
    @DisplayName("Draws of an activity that does not exist are not verified.")
    void unknownActivity(String id, int status) {
        assertThat(http.post("/api/v1/activities/" + id + "/verifications", "").status())
                .isEqualTo(status);
        Response watched = http.post("/api/v1/activities/" + id + "/verifications", "", "Accept", "text/event-stream");
        assertThat(watched.status()).isEqualTo(status);
        assertThat(watched.json().get("code").asString()).isEqualTo(status == 404 ? "NOT_FOUND" : "INVALID");
        assertThat(http.get("/api/v1/activities/" + id + "/draws/export").status())
                .isEqualTo(status);
    }
}
