package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import lottery.Http.Response;
import lottery.proof.ProofConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import tools.jackson.databind.JsonNode;

@DisplayName("The proofs of draws in an activity that changes")
@SpringBootTest(
        classes = {TestLottery.class, ProofConfiguration.class},
        webEnvironment = WebEnvironment.RANDOM_PORT)
class ProofsAfterChangesTest {

    private static final String COFFEE = """
            "mode": "SINGLE", "awards": [{"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";
    private static final String TEA = COFFEE.replace("Coffee", "Tea");

    private static final String TELEPHONES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 2, "title": "Telephone", "type": "TEXT", "rate": "0.9999999", "sort": 2, "stock": 100},
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.0000001", "sort": 1}]""";

    private final Http http;
    private final JdbcClient owner;

    @Autowired
    ProofsAfterChangesTest(@LocalServerPort int port, Environment environment) {
        this.http = new Http(port);
        this.owner = JdbcClient.create(new DriverManagerDataSource(
                environment.getRequiredProperty("lottery.postgres.url"),
                environment.getRequiredProperty("lottery.postgres.owner"),
                environment.getRequiredProperty("lottery.postgres.owner-password")));
    }

    @Test
    @DisplayName("Odds that are dropped for half an hour remain in the commitments of the round, and in the proofs.")
    void droppedForHalfAnHour() {
        TestActivity activity = TestActivity.open(http, COFFEE);
        activity.recharge("ann");
        JsonNode noted = round(activity).get("strategies").get(0);
        assertThat(noted.get("roundCommitment").asString()).isEqualTo(computed(activity, noted));

        activity.revise(1, TEA);
        activity.adopt(2);
        Response dropped = activity.draw("ann", "during the half hour");
        activity.adopt(1);
        Response after = activity.draw("ann", "after it");

        JsonNode strategies = round(activity).get("strategies");
        assertThat(strategies
                        .valueStream()
                        .map(each -> each.get("strategyVersion").asInt()))
                .containsExactly(1, 2, 1);
        strategies.forEach(
                each -> assertThat(each.get("roundCommitment").asString()).isEqualTo(computed(activity, each)));
        assertThat(strategies.get(2)).isEqualTo(noted);
        assertThat(inputsOf(dropped).get("roundCommitment"))
                .isEqualTo(strategies.get(1).get("roundCommitment"));
        assertThat(inputsOf(after).get("roundCommitment")).isEqualTo(noted.get("roundCommitment"));
        assertThat(verified(activity).get("agreed").asInt()).isEqualTo(2);

        // Without its commitment an adoption that nobody has seen would be possible.
        owner.sql("""
                        UPDATE event SET payload = convert_to(
                            (convert_from(payload, 'UTF8')::jsonb - 'roundCommitment')::text, 'UTF8')
                        WHERE aggregate_id = ? AND type = 'activity.strategy-adopted'""").param("activity:" + activity.id).update();
        JsonNode result = verified(activity);
        assertThat(result.get("agreed").asInt()).isEqualTo(1);
        JsonNode differing = result.get("differing").get(0);
        assertThat(differing.get("orderId")).isEqualTo(dropped.json().get("orderId"));
        assertThat(differing.get("differences").get(0).get("matter").asString()).isEqualTo("ROUND_COMMITMENT");
    }

    private JsonNode round(TestActivity activity) {
        return http.get("/api/v1/activities/" + activity.id + "/odds")
                .json()
                .get("rounds")
                .get(0);
    }

    private JsonNode proof(Response draw) {
        return http.get("/api/v1/raffle-orders/" + draw.json().get("orderId").asString() + "/proof")
                .json();
    }

    private JsonNode inputsOf(Response draw) {
        return proof(draw).get("inputs");
    }

    private JsonNode verified(TestActivity activity) {
        return http.post("/api/v1/activities/" + activity.id + "/verifications", "")
                .json();
    }

    /** Computes a commitment as the page about fairness says. */
    private String computed(TestActivity activity, JsonNode strategy) {
        String text = "%s|activity:%s|1|%s|%s"
                .formatted(
                        round(activity).get("commitment").asString(),
                        activity.id,
                        strategy.get("strategyVersion"),
                        strategy.get("strategyHash").asString());
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("A draw whose award was held names it, and can be decided again.")
    void held() {
        TestActivity activity = TestActivity.open(http, TELEPHONES);
        activity.recharge("ann");
        assertThat(http.post(
                                "/api/v1/activities/%d/awards/2/hold".formatted(activity.id),
                                "{\"reason\": \"The codes are wrong\"}")
                        .status())
                .isEqualTo(200);
        JsonNode proof = proof(activity.draw("ann", "held"));
        assertThat(proof.get("agrees").asBoolean()).as(proof.toString()).isTrue();
        assertThat(proof.get("inputs").get("held").toString()).isEqualTo("[2]");
        assertThat(proof.get("why").get(0).asString())
                .isEqualTo("An operator held these, so that they count as sold out: “Telephone”.");
        assertThat(verified(activity).get("agreed").asInt()).isEqualTo(1);
    }

    @Test
    @DisplayName("An order that is drawn later has a proof like any other.")
    void drawnLater() {
        TestActivity activity = TestActivity.open(http, COFFEE);
        activity.recharge("ann");
        Response draw =
                activity.drawOrder(activity.partake("ann").json().get("orderId").asString());
        assertThat(proof(draw).get("agrees").asBoolean()).isTrue();
    }
}
