package lottery.api.credit;

import lottery.api.Command;
import lottery.api.credit.CreditCommand.BookCredits;
import org.jspecify.annotations.Nullable;

/** The commands to a booking that needs two persons. */
public sealed interface CreditProposalCommand extends Command<CreditProposal> {

    CreditProposalId proposalId();

    @Override
    default CreditProposalId target() {
        return proposalId();
    }

    /** Proposes a booking, once per business number. */
    record ProposeCredits(BookCredits booking) implements CreditProposalCommand {

        @Override
        public CreditProposalId proposalId() {
            return CreditProposalId.of(booking.userId(), booking.businessNo());
        }
    }

    /** Books the proposal. The sender must be another person than the one who has proposed it. */
    record ConfirmCredits(CreditProposalId proposalId) implements CreditProposalCommand {}

    /**
     * Ends a proposal without a booking.
     *
     * @param reason a text for people
     */
    record DeclineCredits(
            CreditProposalId proposalId, @Nullable String reason) implements CreditProposalCommand {}
}
