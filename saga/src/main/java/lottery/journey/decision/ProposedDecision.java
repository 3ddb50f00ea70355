package lottery.journey.decision;

import java.time.Duration;
import java.time.Instant;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import org.jspecify.annotations.Nullable;

/**
 * A decision that waits for a second person.
 *
 * @param proposal what the other person names to agree
 * @param by who has proposed it; left out where nobody is asked who he is
 * @param expiresAt when it ends, if nobody has agreed
 */
public record ProposedDecision(
        String proposal,
        ProposedAction action,
        String reason,
        @Nullable String by,
        Instant at,
        Instant expiresAt) {

    public static final int ID_LENGTH_MAX = 64;

    /** The others have a week, so that weekends and absences do not end a proposal. */
    static final Duration WAIT_MAX = Duration.ofDays(7);

    /**
     * Returns this proposal if the person may agree to it, or why not. The second person must not be the first one.
     * Where nobody is asked who he is, two calls are needed all the same. A known person does not agree to an unknown
     * one, who may be the same.
     *
     * @param subject what it is about
     * @param wanted what the person wants to happen
     * @param named the proposal that the person names
     * @param person null where nobody is asked who he is
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
