package lottery.recharge;

import lottery.credit.PurseInLog;
import lottery.entitlement.EntitlementsInLog;
import lottery.raffle.RaffleInMemory;

/** Sales of SKUs for tests of other packages. Recharges that wait are in the log. */
public final class SkusInLog {

    private SkusInLog() {}

    public static SkuSeller of(RaffleInMemory raffle) {
        return new SkuSeller(
                raffle.activities,
                raffle.stock,
                PurseInLog.of(raffle.log, raffle.claims, raffle.clock),
                EntitlementsInLog.of(raffle),
                raffle.repository(RechargeOrder.class),
                raffle.clock);
    }
}
