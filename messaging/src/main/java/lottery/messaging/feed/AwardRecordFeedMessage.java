package lottery.messaging.feed;

import java.time.Instant;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import org.jspecify.annotations.Nullable;

/** Messages about a won award, from the win to the grant. */
sealed interface AwardRecordFeedMessage extends FeedMessage {

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
     * @param insteadOf the award that it replaces; null if it was drawn
     */
    @PublicName("lottery.award.won.v1")
    record Won(
            AwardRecordId awardRecordId,
            ActivityId activityId,
            UserId userId,
            Award award,
            @Nullable AwardRecordId insteadOf,
            Instant wonAt)
            implements AwardRecordFeedMessage {}

    /** Fulfilment was asked to hand it over. */
    @PublicName("lottery.award.dispatched.v1")
    record Dispatched(AwardRecordId awardRecordId, UserId userId) implements AwardRecordFeedMessage {}

    /** Fulfilment has handed it over. */
    @PublicName("lottery.award.granted.v1")
    record Granted(AwardRecordId awardRecordId, UserId userId) implements AwardRecordFeedMessage {}

    /** Fulfilment will not hand it over. */
    @PublicName("lottery.award.rejected.v1")
    record Rejected(AwardRecordId awardRecordId, UserId userId) implements AwardRecordFeedMessage {}

    /**
     * The award was compensated.
     *
     * @param substitute the award that was won instead, if there is one
     */
    @PublicName("lottery.award.compensated.v1")
    record Compensated(
            AwardRecordId awardRecordId,
            UserId userId,
            Amends by,
            @Nullable AwardRecordId substitute) implements AwardRecordFeedMessage {}

    /** The kind of a compensation. */
    enum Amends {
        SUBSTITUTE,
        CHANCE_RETURNED
    }

    /** The user has not given an address in time. */
    @PublicName("lottery.award.forfeited.v1")
    record Forfeited(AwardRecordId awardRecordId, UserId userId) implements AwardRecordFeedMessage {}

    /** The award was taken from its winner. */
    @PublicName("lottery.award.voided.v1")
    record Voided(AwardRecordId awardRecordId, UserId userId) implements AwardRecordFeedMessage {}

    /** The award waits for the decision of an operator. */
    @PublicName("lottery.award.left-to-desk.v1")
    record LeftToDesk(AwardRecordId awardRecordId, UserId userId) implements AwardRecordFeedMessage {}
}
