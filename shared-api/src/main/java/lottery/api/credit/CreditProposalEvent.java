package lottery.api.credit;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.time.Instant;
import lottery.api.EventName;
import lottery.api.EventOfUser;
import lottery.api.UserId;
import org.jspecify.annotations.Nullable;

/** The events of bookings by hand that need two persons. */
public sealed interface CreditProposalEvent extends EventOfUser {

    CreditProposalId proposalId();

    /**
     * A person has proposed to book credits. They are booked if another person confirms the proposal.
     *
     * @param amount the number of credits; negative if they would be spent
     * @param reason a text for people
     * @param proposedBy who has proposed the booking; null if callers are not authenticated
     * @param expiresAt the time after which it can no longer be confirmed
     */
    @EventName("proposal.credits-proposed")
    record CreditsProposed(
            CreditProposalId proposalId,
            UserId userId,
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal amount,
            String businessNo,
            @Nullable String reason,
            @Nullable String proposedBy,
            Instant expiresAt)
            implements CreditProposalEvent {}

    /**
     * Another person has confirmed the proposal. The credits were booked in the same commit.
     *
     * @param entry the number of the booking in the user's account
     * @param proposedBy who has proposed the booking; null if callers are not authenticated
     * @param confirmedBy who has confirmed the proposal; null if callers are not authenticated
     */
    @EventName("proposal.credits-confirmed")
    record CreditsConfirmed(
            CreditProposalId proposalId,
            UserId userId,
            long entry,
            @Nullable String proposedBy,
            @Nullable String confirmedBy)
            implements CreditProposalEvent {}

    /**
     * A person has declined the proposal, and nothing was booked.
     *
     * @param declinedBy who has declined the proposal; null if callers are not authenticated
     * @param reason a text for people
     */
    @EventName("proposal.credits-declined")
    record CreditsDeclined(
            CreditProposalId proposalId,
            UserId userId,
            @Nullable String declinedBy,
            @Nullable String reason) implements CreditProposalEvent {}
}
