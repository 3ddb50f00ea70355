package lottery.recharge;

import static org.axonframework.modelling.command.AggregateLifecycle.createNew;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import lottery.activity.ActivityCache;
import lottery.activity.ActivityProgress;
import lottery.activity.DrawableActivity;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.SubmissionFlaw;
import lottery.api.SubmissionFlaw.FlawKind;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeId;
import lottery.api.account.RechargeResult.RechargeState;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuOffer;
import lottery.api.activity.StockId;
import lottery.api.entitlement.ContentId;
import lottery.credit.CreditBooker;
import lottery.entitlement.EntitlementGranter;
import lottery.stock.StockUnitSource;
import org.axonframework.modelling.command.ConcurrencyException;
import org.axonframework.modelling.command.Repository;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/** Takes units of SKUs from the stock, and gives units back. All changes belong to the current unit of work. */
@Component
public class SkuSeller {

    private static final String PAY_LATER = "/payLater";

    private final ActivityCache activities;
    private final StockUnitSource stock;
    private final CreditBooker creditBooker;
    private final EntitlementGranter entitlements;
    private final Repository<RechargeOrder> recharges;
    private final InstantSource clock;

    SkuSeller(
            ActivityCache activities,
            StockUnitSource stock,
            CreditBooker creditBooker,
            EntitlementGranter entitlements,
            @Lazy @Qualifier("rechargeOrderRepository") Repository<RechargeOrder> recharges,
            InstantSource clock) {
        this.activities = activities;
        this.stock = stock;
        this.creditBooker = creditBooker;
        this.entitlements = entitlements;
        this.recharges = recharges;
        this.clock = clock;
    }

    /**
     * Returns the SKU's offer if the activity is open and, as far as is known, units are left. No unit is taken. While
     * the activity is paused, only SKUs without a price are on offer. Users have earned them, for example by a sign-in,
     * and must not lose them.
     */
    public Answer<SkuOffer> offer(AccountId accountId, SkuId sku) {
        return activities
                .decide(accountId.activityId(), activity -> offerIn(activity, sku))
                .then(offer -> isSoldOut(accountId, offer) ? Answer.no(soldOut(offer)) : Answer.done(offer));
    }

    private Answer<SkuOffer> offerIn(ActivityProgress activity, SkuId sku) {
        Instant now = clock.instant();
        return activity.requireRunning(now)
                .then(_ -> activity.offerOf(sku))
                .then(offer -> offer.priceCredits() == null
                        ? Answer.done(offer)
                        : activity.requireOpen(now).then(_ -> Answer.done(offer)));
    }

    private boolean isSoldOut(AccountId accountId, SkuOffer offer) {
        Integer total = offer.stock();
        return total != null && stock.isShort(StockId.ofSku(accountId.activityId(), offer.sku()), 1, total);
    }

    private static Refused soldOut(SkuOffer offer) {
        return new Refused(Refusal.SKU_SOLD_OUT, offer.sku().toString());
    }

    /**
     * Takes a unit of the SKU, and pays the price of the SKU in credits if it has one. The activity must be open, and a
     * unit must be left.
     *
     * @throws lottery.api.RefusedException if the last unit was taken in the meantime; then the payment is rolled back
     */
    public Answer<RechargeProgress> take(AccountId accountId, SkuId sku, String outBusinessNo) {
        return offer(accountId, sku).then(offer -> {
            BigDecimal price = offer.priceCredits();
            RechargeId rechargeId = RechargeId.of(accountId.userId(), outBusinessNo);
            return price == null
                    ? recharge(accountId, offer, outBusinessNo)
                    : creditBooker
                            .pay(accountId.userId(), price, rechargeId.text())
                            .then(_ -> Answer.done(
                                    recharge(accountId, offer, outBusinessNo).orThrow()));
        });
    }

    /**
     * Takes a unit for a recharge that is paid later. A SKU with a price in credits is refused, because it is paid at
     * once. A SKU with a limit for each user is refused, too. The account counts these SKUs, but a waiting recharge is
     * not yet booked on the account.
     */
    Answer<RechargeProgress> keep(AccountId accountId, SkuId sku, String outBusinessNo) {
        return requireOpen(accountId).then(_ -> offer(accountId, sku)).then(offer -> {
            if (offer.priceCredits() != null) {
                return notLater(FlawKind.PAID_AT_ONCE);
            }
            return offer.perUser() == null
                    ? recharge(accountId, offer, outBusinessNo)
                    : notLater(FlawKind.LIMITED_PER_USER);
        });
    }

    /** Takes a unit for a payment, which pays the price in money. */
    Answer<RechargeProgress> reserve(AccountId accountId, SkuId sku, String outBusinessNo) {
        return requireOpen(accountId)
                .then(_ -> offer(accountId, sku))
                .then(offer -> recharge(accountId, offer, outBusinessNo));
    }

    private Answer<DrawableActivity> requireOpen(AccountId accountId) {
        return activities.findOpen(accountId.activityId());
    }

    private static Answer<RechargeProgress> notLater(FlawKind flaw) {
        return Answer.no(new Refused(Refusal.INVALID, PAY_LATER, List.of(new SubmissionFlaw(PAY_LATER, flaw))));
    }

    /** Returns the day by the clock, in the zone of an activity that exists. */
    public LocalDate day(AccountId accountId) {
        return activities.find(accountId.activityId()).orThrow().dayAt(clock.instant());
    }

    /** Requires that chances of the activity can be spent, now or after a pause. */
    public Answer<?> requireRunning(AccountId accountId) {
        return activities.decide(accountId.activityId(), activity -> activity.requireRunning(clock.instant()));
    }

    /** Returns a SKU as its activity describes it now, whether or not it is on offer. */
    public Optional<SkuOffer> offerOf(AccountId accountId, SkuId sku) {
        return switch (activities.find(accountId.activityId()).then(activity -> activity.offerOf(sku))) {
            case Answer.Done<SkuOffer>(SkuOffer offer) -> Optional.of(offer);
            case Answer.No<SkuOffer> _ -> Optional.empty();
        };
    }

    /** Returns the SKU of a recharge, as its activity describes it now. */
    public SkuOffer skuOf(RechargeProgress rechargeProgress) {
        return offerOf(rechargeProgress.accountId(), rechargeProgress.sku()).orElseThrow();
    }

    private Answer<RechargeProgress> recharge(AccountId accountId, SkuOffer offer, String outBusinessNo) {
        RechargeId rechargeId = RechargeId.of(accountId.userId(), outBusinessNo);
        return takeUnit(accountId, offer)
                .then(unitTaken -> Answer.done(new RechargeProgress(
                        rechargeId,
                        accountId,
                        offer.sku(),
                        outBusinessNo,
                        offer.bundle(),
                        unitTaken,
                        null,
                        offer.entitlement(),
                        RechargeState.WAITING)));
    }

    private Answer<Boolean> takeUnit(AccountId accountId, SkuOffer offer) {
        return stock.takeIfLimited(StockId.ofSku(accountId.activityId(), offer.sku()), offer.stock(), soldOut(offer));
    }

    /** Gives back the unit that the recharge had. */
    void putBack(RechargeProgress rechargeProgress) {
        if (rechargeProgress.unitTaken()) {
            stock.giveBack(StockId.ofSku(rechargeProgress.accountId().activityId(), rechargeProgress.sku()));
        }
    }

    /** Creates a recharge that is completed at once, and grants its content. */
    public void hand(RechargeProgress rechargeProgress) {
        try {
            createNew(RechargeOrder.class, () -> new RechargeOrder(rechargeProgress.completed()));
        } catch (Exception e) {
            throw new IllegalStateException("could not create " + rechargeProgress.rechargeId(), e);
        }
        grantContent(rechargeProgress);
    }

    private void grantContent(RechargeProgress recharge) {
        ContentId content = recharge.entitlement();
        if (content != null) {
            entitlements.grant(
                    recharge.accountId().userId(),
                    content,
                    recharge.rechargeId().text());
        }
    }

    /**
     * Completes a recharge that waits, grants its content, and returns its previous state. If it was completed before,
     * its account has events. An account that knows none was read before them, and the command has to be decided again.
     */
    public Answer<RechargeProgress> complete(RechargeId rechargeId, boolean hasAccountEvents) {
        return recharges.load(rechargeId.text()).invoke(RechargeOrder::complete).then(before -> {
            if (before.state() == RechargeState.COMPLETED && !hasAccountEvents) {
                throw new ConcurrencyException(rechargeId + " was completed since its account was looked for");
            }
            if (before.state() == RechargeState.WAITING) {
                grantContent(before);
            }
            return Answer.done(before);
        });
    }
}
