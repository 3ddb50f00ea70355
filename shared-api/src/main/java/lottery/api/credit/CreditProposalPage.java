package lottery.api.credit;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import lottery.api.UserId;
import org.jspecify.annotations.Nullable;

/**
 * A page of proposed bookings.
 *
 * @param next where the next page begins; null on the last page
 */
public record CreditProposalPage(
        List<ListedCreditProposal> items, @Nullable String next) {

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
    public record ListedCreditProposal(
            CreditProposalId proposalId,
            UserId userId,
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal amount,
            String businessNo,
            @Nullable String reason,
            CreditProposalState state,
            @Nullable String proposedBy,
            Instant proposedAt,
            Instant expiresAt,
            @Nullable String decidedBy,
            @Nullable String declinedBecause,
            @Nullable Long entry) {}

    public CreditProposalPage {
        items = List.copyOf(items);
    }
}
