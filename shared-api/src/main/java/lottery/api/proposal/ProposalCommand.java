package lottery.api.proposal;

import lottery.api.Command;
import org.jspecify.annotations.Nullable;

/** The commands to a proposal. */
public sealed interface ProposalCommand extends Command<Proposal> {

    ProposalId proposalId();

    @Override
    default ProposalId target() {
        return proposalId();
    }

    /**
     * Proposes an action. If it waits already, nothing changes.
     *
     * @param reason a text for people
     */
    record ProposeAction(ProposedAction action, @Nullable String reason) implements ProposalCommand {

        @Override
        public ProposalId proposalId() {
            return action.proposalId();
        }
    }

    /** Carries the action out. The sender must be another person than the one who has proposed it. */
    record AgreeToProposal(ProposalId proposalId) implements ProposalCommand {}

    /**
     * Ends a proposal, so that the action is not carried out.
     *
     * @param reason a text for people
     */
    record DeclineProposal(ProposalId proposalId, @Nullable String reason) implements ProposalCommand {}
}
