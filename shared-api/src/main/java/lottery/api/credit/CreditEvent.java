package lottery.api.credit;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import lottery.api.EventName;
import lottery.api.EventOfUser;
import lottery.api.UserId;
import lottery.api.award.AwardRecordId;
import lottery.api.credit.CreditCommand.BookCredits;
import org.jspecify.annotations.Nullable;

/** The events of a user's credit account. */
public sealed interface CreditEvent extends EventOfUser {

    /**
     * Credits were given or spent.
     *
     * @param entry the number of the booking, counted per user from 1
     * @param amount the number of credits; negative if they were spent
     * @param balance the balance after it, never below zero
     * @param businessNo a number that no other booking of the user has
     * @param reason a text for people
     */
    @EventName("credit.booked")
    record CreditsBooked(
            UserId userId,
            long entry,
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal amount,
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal balance,
            String businessNo,
            @Nullable String reason,
            Instant bookedAt)
            implements CreditEvent {

        /** Returns the award that these credits come from, if they come from an award. */
        public Optional<AwardRecordId> award() {
            return businessNo.startsWith(BookCredits.OF_AWARD)
                    ? Optional.of(AwardRecordId.of(businessNo))
                    : Optional.empty();
        }

        /** Returns this booking as a line of the user's statement. */
        public CreditEntry told() {
            return new CreditEntry(entry, amount, balance, businessNo, reason, bookedAt);
        }
    }
}
