package lottery.api.account;

import lottery.api.Command;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Sku;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.raffle.Draws;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.Request;
import lottery.api.strategy.Remedy;

/** What can be asked of a user's chances. */
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
    record RechargeAccount(AccountId accountId, Sku sku, String outBusinessNo) implements AccountCommand<Recharged> {

        public RechargeId rechargeId() {
            return RechargeId.of(accountId.userId(), outBusinessNo);
        }
    }

    /** Adds the chances of a recharge that was waiting for this. */
    record CompleteRecharge(AccountId accountId, RechargeId rechargeId) implements AccountCommand<Recharged> {}

    /** Spends a chance for an order that is drawn later. An order that is open already is the one that is meant. */
    record Partake(AccountId accountId, Request request) implements AccountCommand<RaffleOrderId> {}

    /**
     * Draws: the order that is open, if there is one, and else with a chance that is spent for it.
     *
     * @param count how often; less, if there are fewer chances
     */
    record Draw(AccountId accountId, Request request, int count) implements AccountCommand<Draws> {

        public static final int COUNT_MAX = 10;

        /** The order of one of the draws, counted from 1. The only one has the id of the request. */
        public RaffleOrderId order(int number) {
            return count == 1 ? request.id() : request.order(accountId, number);
        }
    }

    /** Makes good for an award that cannot be handed over. */
    record CompensateAward(AccountId accountId, AwardRecordId awardRecordId, Remedy by)
            implements AccountCommand<AwardState> {}
}
