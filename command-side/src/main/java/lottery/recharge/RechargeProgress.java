package lottery.recharge;

import java.time.Instant;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeEvent;
import lottery.api.account.RechargeEvent.RechargeClosed;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.account.RechargeId;
import lottery.api.account.RechargeResult;
import lottery.api.account.RechargeResult.RechargeState;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuId;
import lottery.api.entitlement.ContentId;
import org.jspecify.annotations.Nullable;

/**
 * The state of a recharge, folded from its events.
 *
 * @param unitTaken whether it has taken a unit of the SKU, because the SKU is limited
 * @param payBy until when the recharge waits for its payment, if it is paid later
 * @param entitlement the content that it gives; null if it gives chances only
 */
public record RechargeProgress(
        RechargeId rechargeId,
        AccountId accountId,
        SkuId sku,
        String outBusinessNo,
        ChanceBundle bundle,
        boolean unitTaken,
        @Nullable Instant payBy,
        @Nullable ContentId entitlement,
        RechargeState state) {

    /** Returns the state after an event. The first event contains all facts, so no state before it is needed. */
    static RechargeProgress after(@Nullable RechargeProgress rechargeProgress, RechargeEvent event) {
        return switch (event) {
            case RechargeOrdered ordered ->
                new RechargeProgress(
                        ordered.rechargeId(),
                        new AccountId(ordered.activityId(), ordered.userId()),
                        ordered.sku(),
                        ordered.outBusinessNo(),
                        ordered.bundle(),
                        ordered.unitTaken(),
                        ordered.payBy(),
                        ordered.entitlement(),
                        RechargeState.WAITING);
            case RechargeCompleted completed ->
                rechargeProgress != null
                        ? rechargeProgress.in(RechargeState.COMPLETED)
                        : new RechargeProgress(
                                completed.rechargeId(),
                                new AccountId(completed.activityId(), completed.userId()),
                                completed.sku(),
                                completed.outBusinessNo(),
                                completed.bundle(),
                                completed.unitTaken(),
                                null,
                                completed.entitlement(),
                                RechargeState.COMPLETED);
            case RechargeClosed closed -> {
                if (rechargeProgress == null) {
                    throw new IllegalStateException(closed.rechargeId() + " begins with its end");
                }
                yield rechargeProgress.in(RechargeState.CLOSED);
            }
        };
    }

    public RechargeProgress in(RechargeState next) {
        return new RechargeProgress(
                rechargeId, accountId, sku, outBusinessNo, bundle, unitTaken, payBy, entitlement, next);
    }

    RechargeOrdered ordered(Instant until) {
        return new RechargeOrdered(
                rechargeId,
                accountId.activityId(),
                accountId.userId(),
                sku,
                outBusinessNo,
                bundle,
                unitTaken,
                until,
                entitlement);
    }

    RechargeCompleted completed() {
        return new RechargeCompleted(
                rechargeId,
                accountId.activityId(),
                accountId.userId(),
                sku,
                outBusinessNo,
                bundle,
                unitTaken,
                entitlement);
    }

    RechargeClosed closed() {
        return new RechargeClosed(rechargeId, accountId.userId());
    }

    public AccountRecharged booked() {
        return new AccountRecharged(accountId.activityId(), accountId.userId(), rechargeId, bundle);
    }

    /** Returns the recharge in the form in which callers get it. */
    public RechargeResult told() {
        return new RechargeResult(rechargeId, accountId, sku, state, bundle, payBy, entitlement);
    }
}
