package lottery.recharge;

import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.account.AccountCommand.RechargeAccount;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeId;
import lottery.api.account.RechargeResult;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuOffer;
import lottery.store.command.CommandFailedException;
import lottery.store.command.CommandSender;
import org.springframework.stereotype.Component;

/**
 * Recharges an account for a rebate, in the current unit of work. The rebate and the recharge are committed together,
 * or neither is.
 */
@Component
public class RebateRecharger {

    private final SkuSeller stock;
    private final RechargeReader recharges;
    private final CommandSender commands;

    RebateRecharger(SkuSeller stock, RechargeReader recharges, CommandSender commands) {
        this.stock = stock;
        this.recharges = recharges;
        this.commands = commands;
    }

    /** Returns the SKU as it is on offer now. */
    public Answer<SkuOffer> offer(AccountId account, SkuId sku) {
        return stock.offer(account, sku);
    }

    /**
     * Adds the chances of a SKU. If the recharge is refused, nothing of it is stored. The unit of work may continue,
     * for example to store the refusal of the rebate.
     */
    public Answer<RechargeResult> recharge(AccountId account, SkuId sku, String outBusinessNo) {
        if (recharges.first(RechargeId.of(account.userId(), outBusinessNo)).isPresent()) {
            return Answer.no(new Refused(Refusal.KEY_REUSED, outBusinessNo));
        }
        try {
            return commands.send(new RechargeAccount(account, sku, outBusinessNo));
        } catch (CommandFailedException failed) {
            if (failed.reason() instanceof RefusedException refused) {
                return Answer.no(refused.refused());
            }
            throw failed.causeOrSelf();
        }
    }
}
