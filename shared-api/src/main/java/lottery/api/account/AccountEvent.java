package lottery.api.account;

import java.time.LocalDate;
import lottery.api.EventName;
import lottery.api.OfUser;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Bundle;
import lottery.api.raffle.RaffleOrderId;

/** What happened to a user's chances. */
public sealed interface AccountEvent extends OfUser {

    ActivityId activityId();

    @EventName("account.recharged")
    record AccountRecharged(ActivityId activityId, UserId userId, RechargeId rechargeId, Bundle bundle)
            implements AccountEvent {}

    /**
     * A chance was spent.
     *
     * @param day the day in the activity's zone, which also says the month
     */
    @EventName("account.chance-spent")
    record ChanceSpent(ActivityId activityId, UserId userId, RaffleOrderId orderId, LocalDate day)
            implements AccountEvent {}
}
