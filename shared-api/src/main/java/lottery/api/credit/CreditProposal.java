package lottery.api.credit;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.time.Instant;
import lottery.api.UserId;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.credit.CreditProposalEvent.CreditsConfirmed;
import lottery.api.credit.CreditProposalEvent.CreditsDeclined;
import lottery.api.credit.CreditProposalEvent.CreditsProposed;
import org.jspecify.annotations.Nullable;

/**
 * A booking by hand that needs two persons, and what has become of it.
 *
 * @param amount the number of credits; negative if they would be spent
 * @param reason the reason of the person who has proposed it
 * @param proposedBy who has proposed it; null if callers are not authenticated
 * @param expiresAt the time after which it can no longer be confirmed
 * @param decidedBy who has confirmed or declined it
 * @param declinedBecause the reason of the person who has declined it
 * @param entry the number of the booking in the user's account; null if it is not booked
 */
public record CreditProposal(
        CreditProposalId proposalId,
        UserId userId,
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal amount,
        String businessNo,
        @Nullable String reason,
        CreditProposalState state,
        @Nullable String proposedBy,
        Instant expiresAt,
        @Nullable String decidedBy,
        @Nullable String declinedBecause,
        @Nullable Long entry) {

    public static CreditProposal of(CreditsProposed proposed) {
        return new CreditProposal(
                proposed.proposalId(),
                proposed.userId(),
                proposed.amount(),
                proposed.businessNo(),
                proposed.reason(),
                CreditProposalState.PROPOSED,
                proposed.proposedBy(),
                proposed.expiresAt(),
                null,
                null,
                null);
    }

    public CreditProposal after(CreditProposalEvent event) {
        return switch (event) {
            case CreditsProposed proposed -> of(proposed);
            case CreditsConfirmed confirmed ->
                with(CreditProposalState.BOOKED, confirmed.confirmedBy(), null, confirmed.entry());
            case CreditsDeclined declined ->
                with(CreditProposalState.DECLINED, declined.declinedBy(), declined.reason(), null);
        };
    }

    /** Returns the proposal as it is at that time. No event is stored when it expires. */
    public CreditProposal at(Instant now) {
        return state == CreditProposalState.PROPOSED && !now.isBefore(expiresAt)
                ? with(CreditProposalState.EXPIRED, null, null, null)
                : this;
    }

    public BookCredits booking() {
        return new BookCredits(userId, amount, businessNo, reason);
    }

    private CreditProposal with(
            CreditProposalState next, @Nullable String decider, @Nullable String because, @Nullable Long booked) {
        return new CreditProposal(
                proposalId, userId, amount, businessNo, reason, next, proposedBy, expiresAt, decider, because, booked);
    }
}
