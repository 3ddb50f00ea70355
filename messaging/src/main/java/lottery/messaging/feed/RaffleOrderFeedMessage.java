package lottery.messaging.feed;

import java.time.Instant;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.RaffleOrderId;
import org.jspecify.annotations.Nullable;

/** Messages about a raffle order. */
sealed interface RaffleOrderFeedMessage extends FeedMessage {

    RaffleOrderId orderId();

    UserId userId();

    @Override
    default String key() {
        return userId().value();
    }

    @Override
    default String subject() {
        return orderId().text();
    }

    /** A chance was spent for an order that is drawn later. */
    @CloudEventType("lottery.raffle.order-created.v1")
    record Created(RaffleOrderId orderId, ActivityId activityId, UserId userId, Instant createdAt)
            implements RaffleOrderFeedMessage {}

    /** A chance was spent for an entry in the pool of its activity. */
    @CloudEventType("lottery.raffle.entered.v1")
    record Entered(RaffleOrderId orderId, ActivityId activityId, UserId userId, Instant enteredAt)
            implements RaffleOrderFeedMessage {}

    /** The order will not be drawn, and its chance was returned. */
    @CloudEventType("lottery.raffle.order-cancelled.v1")
    record Cancelled(RaffleOrderId orderId, UserId userId, Instant cancelledAt) implements RaffleOrderFeedMessage {}

    /**
     * A request that had waited in the queue was refused when its turn came. No chance was spent.
     *
     * @param code the code of the refusal, the same as over REST
     */
    @CloudEventType("lottery.raffle.order-refused.v1")
    record RequestRefused(RaffleOrderId orderId, ActivityId activityId, UserId userId, String code, Instant refusedAt)
            implements RaffleOrderFeedMessage {}

    /**
     * A draw and its outcome.
     *
     * @param award the award that was won, if any
     * @param awardRecordId the award record to which later messages refer
     */
    @CloudEventType("lottery.raffle.drawn.v1")
    record Drawn(
            RaffleOrderId orderId,
            ActivityId activityId,
            UserId userId,
            Outcome outcome,
            @Nullable Award award,
            @Nullable AwardRecordId awardRecordId,
            Instant drawnAt)
            implements RaffleOrderFeedMessage {}
}
