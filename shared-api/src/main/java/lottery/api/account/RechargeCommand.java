package lottery.api.account;

import java.time.Instant;
import lottery.api.Command;
import lottery.api.activity.SkuId;

/** The commands to a recharge that is paid for later. */
public sealed interface RechargeCommand extends Command<RechargeResult> {

    RechargeId rechargeId();

    @Override
    default RechargeId target() {
        return rechargeId();
    }

    /** Reserves a SKU for a user until it is paid for, once per business number. */
    record OrderRecharge(AccountId accountId, SkuId sku, String outBusinessNo) implements RechargeCommand {

        @Override
        public RechargeId rechargeId() {
            return RechargeId.of(accountId.userId(), outBusinessNo);
        }
    }

    /**
     * Reserves a SKU for a payment, which decides when to complete or to close the recharge.
     *
     * @param outBusinessNo the id of the payment
     * @param payBy when the recharge is closed if the payment has done neither
     */
    record ReserveRecharge(AccountId accountId, SkuId sku, String outBusinessNo, Instant payBy)
            implements RechargeCommand {

        @Override
        public RechargeId rechargeId() {
            return RechargeId.of(accountId.userId(), outBusinessNo);
        }
    }

    /** Takes the content of a completed recharge back, because its money is given back. The chances stay. */
    record RevokeEntitlement(RechargeId rechargeId) implements RechargeCommand {}

    /** Closes a recharge that is still waiting for its payment. */
    record CloseRecharge(RechargeId rechargeId) implements RechargeCommand {}
}
