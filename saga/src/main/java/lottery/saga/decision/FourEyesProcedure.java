package lottery.saga.decision;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.store.trace.Actor;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Lets one person propose a decision, and another person agree to it. The code that calls this class then carries the
 * decision out.
 */
@Component
public final class FourEyesProcedure {

    private final ProposedDecisionTable proposals;
    private final OperatorDecisionLog decisions;

    FourEyesProcedure(ProposedDecisionTable proposals, OperatorDecisionLog decisions) {
        this.proposals = proposals;
        this.decisions = decisions;
    }

    /**
     * Proposes a decision, or agrees to it, in the transaction of its caller. A repeated proposal is logged only once.
     *
     * @param named the proposal to agree to; null if the decision is proposed
     * @return the proposal that waits; empty if a second person has agreed
     * @throws RefusedException if the person may not agree, or if there is no such proposal
     */
    public Optional<ProposedDecision> proposeOrAgree(
            String subject, ProposedAction action, String reason, @Nullable String named) {
        String person = Actor.current().map(Actor::name).orElse(null);
        if (named == null) {
            if (proposals.propose(subject, action, reason, person)) {
                decisions.record(action.proposing(), subject, reason);
            }
            return Optional.of(waiting(subject).orElseThrow(() -> new RefusedException(Refusal.BUSY, subject)));
        }
        waiting(subject)
                .orElseThrow(() -> new RefusedException(ProposedDecision.none(subject, action, named)))
                .agree(subject, action, named, person)
                .orThrow();
        return Optional.empty();
    }

    /**
     * Deletes the proposal about a subject, after the subject was decided about.
     *
     * @param proposal the proposal to delete, which a second person has agreed to; a newer proposal about the subject
     *     stays. If it is null, whichever proposal waits is deleted.
     */
    public void end(String subject, @Nullable String proposal) {
        proposals.delete(subject, proposal);
    }

    /** Returns the decisions that wait for a second person, by their subjects. */
    public Map<String, ProposedDecision> find(Collection<String> subjects) {
        return proposals.find(subjects);
    }

    private Optional<ProposedDecision> waiting(String subject) {
        return Optional.ofNullable(proposals.find(List.of(subject)).get(subject));
    }
}
