package lottery.api.account;

import java.time.LocalDate;
import lottery.api.EventName;
import lottery.api.EventOfUser;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuId;
import lottery.api.raffle.RaffleOrderId;

/** The events of a user's account of chances. */
public sealed interface AccountEvent extends EventOfUser {

    ActivityId activityId();

    /**
     * The account was given the free chances of its activity. This happens in the commit in which it spends its first
     * chance.
     */
    @EventName("account.opened")
    record AccountOpened(ActivityId activityId, UserId userId, ChanceBundle bundle) implements AccountEvent {}

    @EventName("account.recharged")
    record AccountRecharged(ActivityId activityId, UserId userId, RechargeId rechargeId, ChanceBundle bundle)
            implements AccountEvent {}

    /**
     * A chance was spent.
     *
     * @param day the day in the activity's zone, which also determines the month
     * @param open whether the order stays open and is drawn later; otherwise it is drawn, or enters a pool, in the same
     *     commit
     * @param participationTaken whether a participation was taken, because the activity limits them
     */
    @EventName("account.chance-spent")
    record ChanceSpent(
            ActivityId activityId,
            UserId userId,
            RaffleOrderId orderId,
            LocalDate day,
            boolean open,
            boolean participationTaken)
            implements AccountEvent {}

    /**
     * The open order is drawn in the same commit.
     *
     * @param day the day of the draw, in the activity's zone
     */
    @EventName("account.order-used")
    record OpenOrderUsed(ActivityId activityId, UserId userId, RaffleOrderId orderId, LocalDate day)
            implements AccountEvent {}

    /** An award with a limit per user was won, in the same commit. */
    @EventName("account.limited-award-won")
    record LimitedAwardWon(ActivityId activityId, UserId userId, RaffleOrderId orderId, int awardId)
            implements AccountEvent {}

    /**
     * A SKU with a limit per user was taken, in the same commit.
     *
     * @param day the day in the activity's zone, which also determines the month
     */
    @EventName("account.limited-sku-taken")
    record LimitedSkuTaken(ActivityId activityId, UserId userId, RechargeId rechargeId, SkuId sku, LocalDate day)
            implements AccountEvent {}

    /**
     * The chance that an order had cost was given back.
     *
     * @param day the day on which the chance had been spent
     */
    @EventName("account.chance-returned")
    record ChanceReturned(ActivityId activityId, UserId userId, RaffleOrderId orderId, LocalDate day)
            implements AccountEvent {}
}
