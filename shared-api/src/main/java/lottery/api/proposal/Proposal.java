package lottery.api.proposal;

import java.time.Instant;
import lottery.api.proposal.ProposalEvent.ProposalAgreed;
import lottery.api.proposal.ProposalEvent.ProposalDeclined;
import lottery.api.proposal.ProposalEvent.ProposalMade;
import org.jspecify.annotations.Nullable;

/**
 * An action that needs two persons, and what has become of it.
 *
 * @param reason the reason of the person who has proposed it
 * @param proposedBy who has proposed it; null if callers are not authenticated
 * @param expiresAt the time after which nobody can agree any more
 * @param decidedBy who has agreed or declined
 * @param declinedBecause the reason of the person who has declined it
 */
public record Proposal(
        ProposalId proposalId,
        ProposedAction action,
        @Nullable String reason,
        ProposalState state,
        @Nullable String proposedBy,
        Instant expiresAt,
        @Nullable String decidedBy,
        @Nullable String declinedBecause) {

    /** Returns the proposal after an event; before its first event there is none. */
    public static Proposal evolve(@Nullable Proposal before, ProposalEvent event) {
        return switch (event) {
            case ProposalMade made ->
                new Proposal(
                        made.proposalId(),
                        made.action(),
                        made.reason(),
                        ProposalState.PROPOSED,
                        made.proposedBy(),
                        made.expiresAt(),
                        null,
                        null);
            case ProposalAgreed agreed -> known(before).with(ProposalState.AGREED, agreed.agreedBy(), null);
            case ProposalDeclined declined ->
                known(before).with(ProposalState.DECLINED, declined.declinedBy(), declined.reason());
        };
    }

    private static Proposal known(@Nullable Proposal before) {
        if (before == null) {
            throw new IllegalStateException("it begins with an action that is proposed");
        }
        return before;
    }

    /** Returns the proposal as it is at that time. No event is stored when it expires. */
    public Proposal at(Instant now) {
        return state == ProposalState.PROPOSED && !now.isBefore(expiresAt)
                ? with(ProposalState.EXPIRED, null, null)
                : this;
    }

    private Proposal with(ProposalState next, @Nullable String decider, @Nullable String because) {
        return new Proposal(proposalId, action, reason, next, proposedBy, expiresAt, decider, because);
    }
}
