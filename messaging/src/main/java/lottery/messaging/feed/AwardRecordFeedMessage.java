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
     * @param insteadOf the award that this award replaces; null if this award was drawn
     */
    @CloudEventType("lottery.award.won.v1")
    record Won(
            AwardRecordId awardRecordId,
            ActivityId activityId,
            UserId userId,
            Award award,
            @Nullable AwardRecordId insteadOf,
            Instant wonAt)
            implements AwardRecordFeedMessage {}

    /** Fulfilment was asked to hand the award over. */
    @CloudEventType("lottery.award.dispatched.v1")
    record Dispatched(AwardRecordId awardRecordId, UserId userId) implements AwardRecordFeedMessage {}

    /** Fulfilment has handed the award over. */
    @CloudEventType("lottery.award.granted.v1")
    record Granted(AwardRecordId awardRecordId, UserId userId) implements AwardRecordFeedMessage {}

    /** Fulfilment will not hand the award over. */
    @CloudEventType("lottery.award.rejected.v1")
    record Rejected(AwardRecordId awardRecordId, UserId userId) implements AwardRecordFeedMessage {}

    /**
     * The award was compensated.
     *
     * @param substitute the award that was won instead, if there is one
     */
    @CloudEventType("lottery.award.compensated.v1")
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
    @CloudEventType("lottery.award.forfeited.v1")
    record Forfeited(AwardRecordId awardRecordId, UserId userId) implements AwardRecordFeedMessage {}

    /** The award was taken from its winner. */
    @CloudEventType("lottery.award.voided.v1")
    record Voided(AwardRecordId awardRecordId, UserId userId) implements AwardRecordFeedMessage {}

    /** The award waits for the decision of an operator. */
    @CloudEventType("lottery.award.left-to-desk.v1")
    record LeftToDesk(AwardRecordId awardRecordId, UserId userId) implements AwardRecordFeedMessage {}
}
