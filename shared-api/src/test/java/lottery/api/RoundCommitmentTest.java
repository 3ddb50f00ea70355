package lottery.api;

import static org.assertj.core.api.Assertions.assertThat;

import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.StrategyAdopted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.activity.RoundCommitment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The commitment of a round")
class RoundCommitmentTest {

    private static final ActivityId ID = new ActivityId(100);
    private static final String COMMITMENT = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925";
    private static final ApprovedStrategy STRATEGY =
            new ApprovedStrategy(1, "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08");

    /** The SHA-256 of the documented text, by another program. */
    private static final String VALUE = "2deddf797c7a66bfcafa0eb246f19da08b650b8ed51a2edf3c20ef9dab27ec31";

    @Test
    @DisplayName("It is the SHA-256 of the documented text.")
    void documented() {
        assertThat(RoundCommitment.of(ID, 1, COMMITMENT, STRATEGY)).isEqualTo(VALUE);
    }

    @Test
    @DisplayName("It depends on the activity, the round, the seed, the version and its hash.")
    void dependsOnAll() {
        assertThat(new String[] {
                    VALUE,
                    RoundCommitment.of(new ActivityId(101), 1, COMMITMENT, STRATEGY),
                    RoundCommitment.of(ID, 2, COMMITMENT, STRATEGY),
                    RoundCommitment.of(ID, 1, "00".repeat(32), STRATEGY),
                    RoundCommitment.of(ID, 1, COMMITMENT, new ApprovedStrategy(2, STRATEGY.hash())),
                    RoundCommitment.of(ID, 1, COMMITMENT, new ApprovedStrategy(1, "00".repeat(32)))
                })
                .doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("The approved documents of events show values that were computed for them.")
    void samples() {
        ActivityPassed passed = sample(ActivityPassed.class);
        ActivityStarted started = sample(ActivityStarted.class);
        StrategyAdopted adopted = sample(StrategyAdopted.class);
        assertThat(started.roundCommitment()).isEqualTo(VALUE);
        assertThat(passed.strategyHash()).isEqualTo(STRATEGY.hash());
        assertThat(adopted.roundCommitment())
                .isEqualTo(RoundCommitment.of(
                        ID, 1, COMMITMENT, new ApprovedStrategy(adopted.strategyVersion(), adopted.strategyHash())));
    }

    private static <E extends Event> E sample(Class<E> type) {
        return Samples.ALL.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }
}
