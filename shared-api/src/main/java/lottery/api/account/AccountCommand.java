package lottery.api.account;

import lottery.api.Command;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Sku;
import lottery.api.raffle.Drawn;
import lottery.api.raffle.RaffleOrderId;

/** What can be asked of a user's chances. */
public sealed interface AccountCommand<R> extends Command<R> {

    AccountId accountId();

    @Override
    default AccountId target() {
        return accountId();
    }

    /** Adds the chances of a SKU, once per business number. */
    record RechargeAccount(AccountId accountId, Sku sku, String outBusinessNo) implements AccountCommand<Recharged> {

        public RechargeId rechargeId() {
            return RechargeId.of(accountId.userId(), outBusinessNo);
        }
    }

    /** Spends a chance and draws, in one step. */
    record Draw(AccountId accountId, RaffleOrderId orderId) implements AccountCommand<Drawn> {

        public ActivityId activityId() {
            return accountId.activityId();
        }

        public UserId userId() {
            return accountId.userId();
        }
    }
}
