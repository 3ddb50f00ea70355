package lottery.entitlement;

import lottery.raffle.RaffleInMemory;

/** Entitlements for tests of other packages, in the log of a raffle. */
public final class EntitlementsInLog {

    private EntitlementsInLog() {}

    public static EntitlementGranter of(RaffleInMemory raffle) {
        return new EntitlementGranter(raffle.repository(Entitlement.class));
    }
}
