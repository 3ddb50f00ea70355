package lottery.api.proposal;

import java.time.Instant;
import lottery.api.EventName;
import lottery.api.EventOfDecision;
import lottery.api.UserId;
import org.jspecify.annotations.Nullable;

/** The events of actions that need two persons. A user is named if the action concerns one. */
public sealed interface ProposalEvent extends EventOfDecision {

    ProposalId proposalId();

    /**
     * A person has proposed an action. It is carried out if another person agrees. An action can be proposed again
     * after it was declined or has expired. Revision 2 has further kinds of actions, which only its readers know.
     *
     * @param reason a text for people
     * @param proposedBy who has proposed the action; null if callers are not authenticated
     * @param expiresAt the time after which nobody can agree any more
     */
    @EventName(value = "proposal.made", revision = 2)
    record ProposalMade(
            ProposalId proposalId,
            @Nullable UserId userId,
            ProposedAction action,
            @Nullable String reason,
            @Nullable String proposedBy,
            Instant expiresAt)
            implements ProposalEvent {}

    /**
     * Another person has agreed. What the action does to aggregates was done in the same commit.
     *
     * @param proposedBy who has proposed the action; null if callers are not authenticated
     * @param agreedBy who has agreed; null if callers are not authenticated
     */
    @EventName("proposal.agreed")
    record ProposalAgreed(
            ProposalId proposalId,
            @Nullable UserId userId,
            @Nullable String proposedBy,
            @Nullable String agreedBy) implements ProposalEvent {}

    /**
     * A person has declined the proposal, and nothing was done.
     *
     * @param declinedBy who has declined the proposal; null if callers are not authenticated
     * @param reason a text for people
     */
    @EventName("proposal.declined")
    record ProposalDeclined(
            ProposalId proposalId,
            @Nullable UserId userId,
            @Nullable String declinedBy,
            @Nullable String reason) implements ProposalEvent {}
}
