package lottery.saga.decision;

import java.time.Duration;
import java.time.Instant;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import org.jspecify.annotations.Nullable;

/**
 * A decision that waits for a second person.
 *
 * @param proposal the value that the other person sends to agree
 * @param by who has proposed it; left out if callers are not authenticated
 * @param expiresAt when the proposal ends if nobody has agreed
 */
public record ProposedDecision(
        String proposal,
        ProposedAction action,
        String reason,
        @Nullable String by,
        Instant at,
        Instant expiresAt) {

    public static final int ID_LENGTH_MAX = 64;

    /** A second person has a week, so that weekends and absences do not end a proposal. */
    static final Duration WAIT_MAX = Duration.ofDays(7);

    /**
     * Returns this proposal if the person may agree to it, and otherwise a refusal. The second person must not be the
     * first one. If callers are not authenticated, two calls are needed all the same, although one person can make
     * both. A known person cannot agree to the proposal of an unknown person, because both may be the same person.
     *
     * @param subject the object of the decision
     * @param wanted the action that the person wants
     * @param named the proposal that the person names
     * @param person null if callers are not authenticated
     */
    Answer<ProposedDecision> agree(String subject, ProposedAction wanted, String named, @Nullable String person) {
        boolean isByUnknown = by == null && person != null;
        if (!proposal.equals(named) || action != wanted || isByUnknown) {
            return Answer.no(none(subject, wanted, named));
        }
        if (person != null && person.equals(by)) {
            return Answer.no(new Refused(Refusal.FORBIDDEN, wanted + " (proposed by " + person + ")"));
        }
        return Answer.done(this);
    }

    static Refused none(String subject, ProposedAction wanted, String named) {
        return new Refused(Refusal.NOT_FOUND, "%s, proposal %s (%s)".formatted(subject, named, wanted));
    }
}
