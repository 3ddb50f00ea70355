package lottery.messaging.feed;

import java.time.LocalDate;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleOrderId;

/** Messages about a user's chances in one activity. */
sealed interface ChanceFeedMessage extends FeedMessage {

    ActivityId activityId();

    UserId userId();

    @Override
    default String key() {
        return userId().value();
    }

    @Override
    default String subject() {
        return new AccountId(activityId(), userId()).text();
    }

    /**
     * A user has got the free chances of the activity and has spent the first chance.
     *
     * @param total the number of free chances
     * @param month how many of them may be spent in a month
     * @param day how many of them may be spent in a day
     */
    @CloudEventType("lottery.account.opened.v1")
    record Opened(ActivityId activityId, UserId userId, int total, int month, int day) implements ChanceFeedMessage {}

    /**
     * Chances were added.
     *
     * @param total the number of chances that were added
     * @param month how many more chances may be spent in a month
     * @param day how many more chances may be spent in a day
     */
    @CloudEventType("lottery.account.recharged.v1")
    record Recharged(ActivityId activityId, UserId userId, RechargeId rechargeId, int total, int month, int day)
            implements ChanceFeedMessage {}

    /**
     * A chance was spent.
     *
     * @param day the day in the activity's zone
     */
    @CloudEventType("lottery.account.chance-spent.v1")
    record Spent(ActivityId activityId, UserId userId, RaffleOrderId orderId, LocalDate day)
            implements ChanceFeedMessage {}

    /**
     * The chance of an order was given back.
     *
     * @param day the day on which the chance was spent
     */
    @CloudEventType("lottery.account.chance-returned.v1")
    record Returned(ActivityId activityId, UserId userId, RaffleOrderId orderId, LocalDate day)
            implements ChanceFeedMessage {}
}
