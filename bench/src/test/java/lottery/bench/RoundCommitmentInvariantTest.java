package lottery.bench;

import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Commitments: each round is bound to its seed and its versions of the strategy")
class RoundCommitmentInvariantTest extends CheckedHistory {

    private static final String FIRST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    private static final String SECOND = "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752";

    /** The values by another program, for a seed of zeros. */
    private static final String BOUND_TO_FIRST = "8b50a4f090c9531119f3ccbf8b4136f5e6ddf6181d6494b1f10342106f12059a";

    private static final String BOUND_TO_SECOND = "26130748c788452b418b6c1a3e7030e496e21a87b6d69fb71e3abc6e9a825092";

    private static final String SEED = "00".repeat(32);

    private void told(String first, String second, String seed) throws SQLException {
        history.event("activity:300", 1, "activity.passed", """
                {"activityId":300,"strategyVersion":1,"strategyHash":"%s"}""".formatted(FIRST));
        history.event("activity:300", 2, "activity.started", """
                {"activityId":300,"round":1,"sealedSeed":"k1:AAEC",\
                "commitment":"66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"%s}""".formatted(field(first)));
        history.event("activity:300", 3, "activity.strategy-adopted", """
                {"activityId":300,"strategyVersion":2,"strategyHash":"%s"%s}""".formatted(SECOND, field(second)));
        history.event("activity:300", 4, "activity.closed", "{\"activityId\":300}");
        history.event("activity:300", 5, "activity.seed-published", """
                {"activityId":300,"round":1,"seed":"%s"}""".formatted(seed));
    }

    private static String field(String roundCommitment) {
        return roundCommitment.isEmpty() ? "" : ",\"roundCommitment\":\"" + roundCommitment + "\"";
    }

    @Test
    @DisplayName("A start, an adoption and a seed that fit together hold, and so does what the activity shows")
    void holds() throws SQLException {
        told(BOUND_TO_FIRST, BOUND_TO_SECOND, SEED);
        history.sql("""
                UPDATE view_activity SET version = 5, state = 'CLOSED', strategy_version = 2, strategy_hash = '%s',
                    rounds = '[{"round": 1, "commitment": "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925", "seed": "%s", "strategies": [
                        {"strategyVersion": 1, "strategyHash": "%s", "roundCommitment": "%s"},
                        {"strategyVersion": 2, "strategyHash": "%s", "roundCommitment": "%s"}]}]'
                WHERE activity_id = 300""".formatted(SECOND, SEED, FIRST, BOUND_TO_FIRST, SECOND, BOUND_TO_SECOND));
        CheckReport report = check(IN_FLIGHT);
        assertThat(report.isSound()).as(report.table()).isTrue();
    }

    @Test
    @DisplayName("A start or an adoption without its commitment, or with another one, is a violation")
    void violated() throws SQLException {
        told("", BOUND_TO_FIRST, "11".repeat(32));
        assertThat(check(IN_FLIGHT).verdicts())
                .filteredOn(verdict -> verdict.name().equals("commitments"))
                .singleElement()
                .satisfies(verdict -> {
                    assertThat(verdict.violated()).isEqualTo(3);
                    assertThat(verdict.first())
                            .startsWith("activity:300 commits at event ")
                            .endsWith("to null, where " + BOUND_TO_FIRST + " was due");
                });
    }
}
