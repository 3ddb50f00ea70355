package lottery.saga.decision;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A decision that two persons take")
class ProposedDecisionTest {

    private static final String SUBJECT = "parked-event:grants/17";
    private static final Instant NOON = Instant.parse("2026-11-26T04:00:00Z");

    private static ProposedDecision proposedBy(@Nullable String person) {
        return new ProposedDecision(
                "5f1d", ProposedAction.DROP, "no coffee left", person, NOON, NOON.plus(Duration.ofDays(7)));
    }

    @Test
    @DisplayName("Another person agrees by naming the proposal.")
    void agreed() {
        ProposedDecision proposed = proposedBy("dora");
        assertThat(proposed.agree(SUBJECT, ProposedAction.DROP, "5f1d", "otto")).isEqualTo(Answer.done(proposed));
    }

    @Test
    @DisplayName("The person who has proposed it is refused.")
    void samePerson() {
        assertThat(proposedBy("dora").agree(SUBJECT, ProposedAction.DROP, "5f1d", "dora"))
                .isEqualTo(Answer.no(new Refused(Refusal.FORBIDDEN, "DROP (proposed by dora)")));
    }

    @Test
    @DisplayName("Another proposal than the one that waits is not found.")
    void otherProposal() {
        assertThat(proposedBy("dora").agree(SUBJECT, ProposedAction.DROP, "4711", "otto"))
                .isEqualTo(Answer.no(new Refused(Refusal.NOT_FOUND, SUBJECT + ", proposal 4711 (DROP)")));
    }

    @Test
    @DisplayName("Nobody agrees to another action than the one that was proposed.")
    void otherAction() {
        assertThat(proposedBy("dora").agree(SUBJECT, ProposedAction.SUBSTITUTE, "5f1d", "otto"))
                .isEqualTo(Answer.no(new Refused(Refusal.NOT_FOUND, SUBJECT + ", proposal 5f1d (SUBSTITUTE)")));
    }

    @Test
    @DisplayName("Where callers are not authenticated, the second call still has to name the proposal.")
    void unknownPersons() {
        ProposedDecision proposed = proposedBy(null);
        assertThat(proposed.agree(SUBJECT, ProposedAction.DROP, "5f1d", null)).isEqualTo(Answer.done(proposed));
        assertThat(proposed.agree(SUBJECT, ProposedAction.DROP, "4711", null)).isInstanceOf(Answer.No.class);
    }

    @Test
    @DisplayName("A known person does not agree to a proposal of an unknown one, who may be the same.")
    void unknownFirst() {
        assertThat(proposedBy(null).agree(SUBJECT, ProposedAction.DROP, "5f1d", "otto"))
                .isEqualTo(Answer.no(new Refused(Refusal.NOT_FOUND, SUBJECT + ", proposal 5f1d (DROP)")));
    }
}
