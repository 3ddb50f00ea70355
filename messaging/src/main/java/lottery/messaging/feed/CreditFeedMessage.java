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
     * @param entry counts the user's bookings from 1
     * @param amount a negative amount was spent
     * @param balance the balance after it
     * @param awardRecordId the award that gave the credits; null if they were not won
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
