package lottery.api.account;

import lottery.api.activity.Bundle;
import lottery.api.activity.Sku;

/**
 * A recharge and what it brought.
 *
 * @param sku what was asked for; a repeat must ask for the same
 */
public record Recharged(RechargeId rechargeId, AccountId accountId, Sku sku, State state, Bundle bundle) {

    public enum State {
        COMPLETED
    }
}
