package lottery.messaging.feed;

import java.time.Instant;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import org.jspecify.annotations.Nullable;

/** Messages about a won award, on its way to its user. */
sealed interface AwardFeedMessage extends FeedMessage {

    AwardRecordId awardRecordId();

    UserId userId();

    @Override
    default String key() {
        return userId().value();
    }

    @Override
    default String subject() {
        return awardRecordId().text();
    }

    /**
     * An award was won.
     *
     * @param insteadOf what it makes good for; none: it was drawn
     */
    @PublicName("lottery.award.won.v1")
    record Won(
            AwardRecordId awardRecordId,
            ActivityId activityId,
            UserId userId,
            Award award,
            @Nullable AwardRecordId insteadOf,
            Instant wonAt)
            implements AwardFeedMessage {}

    /** Fulfilment was asked to hand it over. */
    @PublicName("lottery.award.dispatched.v1")
    record Dispatched(AwardRecordId awardRecordId, UserId userId) implements AwardFeedMessage {}

    /** Fulfilment has handed it over. */
    @PublicName("lottery.award.granted.v1")
    record Granted(AwardRecordId awardRecordId, UserId userId) implements AwardFeedMessage {}

    /** Fulfilment will not hand it over. */
    @PublicName("lottery.award.rejected.v1")
    record Rejected(AwardRecordId awardRecordId, UserId userId) implements AwardFeedMessage {}

    /**
     * It was made good for.
     *
     * @param substitute the award that was won instead, if that is how
     */
    @PublicName("lottery.award.compensated.v1")
    record Compensated(
            AwardRecordId awardRecordId,
            UserId userId,
            Amends by,
            @Nullable AwardRecordId substitute) implements AwardFeedMessage {}

    /** How an award that could not be handed over was made good for. */
    enum Amends {
        SUBSTITUTE,
        CHANCE_RETURNED
    }

    /** Its user has not said in time where to. */
    @PublicName("lottery.award.forfeited.v1")
    record Forfeited(AwardRecordId awardRecordId, UserId userId) implements AwardFeedMessage {}

    /** An operator has to decide. */
    @PublicName("lottery.award.left-to-desk.v1")
    record LeftToDesk(AwardRecordId awardRecordId, UserId userId) implements AwardFeedMessage {}
}
