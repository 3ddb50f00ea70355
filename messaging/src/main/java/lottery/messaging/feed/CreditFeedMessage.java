package lottery.messaging.feed;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.time.Instant;
import lottery.api.UserId;
import lottery.api.award.AwardRecordId;
import lottery.api.credit.CreditAccountId;
import org.jspecify.annotations.Nullable;

/** Messages about a user's credits. */
sealed interface CreditFeedMessage extends FeedMessage {

    UserId userId();

    @Override
    default String key() {
        return userId().value();
    }

    @Override
    default String subject() {
        return new CreditAccountId(userId()).text();
    }

    /**
     * Credits were given or spent.
     *
     * @param entry the number of the booking; it counts the user's bookings from 1
     * @param amount the booked credits; negative if credits were spent
     * @param balance the balance after the booking
     * @param awardRecordId the award that gave the credits; null if no award gave them
     */
    @CloudEventType("lottery.credit.booked.v1")
    record Booked(
            UserId userId,
            long entry,
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal amount,
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal balance,
            @Nullable AwardRecordId awardRecordId,
            Instant bookedAt)
            implements CreditFeedMessage {}
}
