package lottery.api.account;

import java.time.Instant;
import lottery.api.Command;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.raffle.DrawRequestResult;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.Remedy;

/** The commands to a user's account of chances. */
public sealed interface AccountCommand<R> extends Command<R> {

    AccountId accountId();

    @Override
    default AccountId target() {
        return accountId();
    }

    default ActivityId activityId() {
        return accountId().activityId();
    }

    default UserId userId() {
        return accountId().userId();
    }

    /** Adds the chances of a SKU, once per business number. */
    record RechargeAccount(AccountId accountId, SkuId sku, String outBusinessNo)
            implements AccountCommand<RechargeResult> {

        public RechargeId rechargeId() {
            return RechargeId.of(accountId.userId(), outBusinessNo);
        }
    }

    /** Adds the chances of a recharge that has waited for its payment. */
    record CompleteRecharge(AccountId accountId, RechargeId rechargeId) implements AccountCommand<RechargeResult> {}

    /** Spends a chance for an order that is drawn later. If an order is open already, the answer is the open order. */
    record Partake(AccountId accountId, RaffleRequestIdentity request) implements AccountCommand<RaffleOrderId> {

        @Override
        public boolean isRepeatable() {
            return request.repeatable();
        }
    }

    /**
     * Makes one or more draws. The first draw uses the open order, if there is one; each other draw spends a chance.
     *
     * @param count how many draws are asked for; fewer are made if there are fewer chances
     */
    record Draw(AccountId accountId, RaffleRequestIdentity request, int count)
            implements AccountCommand<DrawRequestResult> {

        public static final int COUNT_MAX = 10;

        @Override
        public boolean isRepeatable() {
            return request.repeatable();
        }

        /**
         * Returns the id of the order of one draw; the draws of a request are counted from 1. If the request asks for
         * one draw, its order has the id of the request.
         */
        public RaffleOrderId order(int number) {
            return count == 1 ? request.id() : request.order(accountId, number);
        }
    }

    /**
     * Draws in the activity that was chosen for a key. It is refused if an earlier request under the key has drawn in
     * another activity.
     *
     * @param key one of the user's idempotency keys, which the caller has sent
     */
    record DrawChosen(Draw draw, String key) implements AccountCommand<DrawRequestResult> {

        @Override
        public AccountId accountId() {
            return draw.accountId();
        }

        @Override
        public boolean isRepeatable() {
            return draw.isRepeatable();
        }
    }

    /**
     * Makes the draws of a request that has waited in the queue. If they are refused, the refusal is stored.
     *
     * @param orderId the id of the request, and of its order if it asks for one draw
     * @param queuedAt when the request was accepted
     */
    record DrawQueued(AccountId accountId, RaffleOrderId orderId, int count, Instant queuedAt)
            implements AccountCommand<DrawRequestResult> {

        public Draw draw() {
            return new Draw(accountId, new RaffleRequestIdentity(orderId, true), count);
        }
    }

    /** Refuses a request that has waited in the queue and was given up, unless it was drawn or refused before. */
    record RefuseQueued(DrawQueued request) implements AccountCommand<Boolean> {

        @Override
        public AccountId accountId() {
            return request.accountId();
        }
    }

    /** Draws the order, if it is open. */
    record DrawRaffleOrder(AccountId accountId, RaffleOrderId orderId, RaffleRequestIdentity request)
            implements AccountCommand<DrawRequestResult> {

        @Override
        public RaffleOrderId subject() {
            return orderId;
        }
    }

    /** Cancels the order, if it is open, and gives back the chance that the order had cost. */
    record CancelRaffleOrder(AccountId accountId, RaffleOrderId orderId, RaffleRequestIdentity request)
            implements AccountCommand<RaffleOrderId> {

        @Override
        public RaffleOrderId subject() {
            return orderId;
        }
    }

    /** Spends a chance for an entry in the pool of an activity that is drawn at one time. */
    record Enter(AccountId accountId, RaffleRequestIdentity request) implements AccountCommand<RaffleOrderId> {

        @Override
        public boolean isRepeatable() {
            return request.repeatable();
        }
    }

    /** Gives the chance of an entry back, because its pool was cancelled. */
    record ReturnEntry(AccountId accountId, RaffleOrderId orderId) implements AccountCommand<RaffleOrderId> {}

    /**
     * Compensates the user for an award that cannot be handed over.
     *
     * @param isNews whether the command is refused if it does not compensate the award. Otherwise an award that was
     *     compensated before stays as it is, and one that cannot be compensated may go to the desk
     */
    record CompensateAward(AccountId accountId, AwardRecordId awardRecordId, Remedy by, boolean isNews)
            implements AccountCommand<AwardState> {

        public CompensateAward(AccountId accountId, AwardRecordId awardRecordId, Remedy by) {
            this(accountId, awardRecordId, by, false);
        }
    }
}
