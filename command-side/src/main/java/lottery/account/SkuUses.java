package lottery.account;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountEvent.LimitedSkuTaken;
import lottery.api.account.AccountId;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuLimit;
import lottery.api.activity.SkuOffer;
import lottery.recharge.RechargeProgress;

/**
 * Counts how often a user has had each SKU that has a limit per user.
 *
 * @param uses the counts by the number of the SKU
 */
record SkuUses(Map<Long, UsageCount> uses) {

    static final SkuUses NONE = new SkuUses(Map.of());

    /** Returns the current day, which is never before a day that is booked for this SKU. */
    LocalDate today(SkuId sku, LocalDate byTheClock) {
        LocalDate latest = of(sku).day();
        return latest.isAfter(byTheClock) ? latest : byTheClock;
    }

    /** Checks that the user can have this SKU once more. */
    Answer<SkuOffer> requireLeft(SkuOffer offer, LocalDate byTheClock) {
        SkuLimit limit = offer.perUser();
        if (limit == null) {
            return Answer.done(offer);
        }
        UsageCount count = of(offer.sku());
        LocalDate today = today(offer.sku(), byTheClock);
        int had = switch (limit.period()) {
            case DAY -> count.on(today);
            case MONTH -> count.in(YearMonth.from(today));
            case EVER -> count.total();
        };
        return had < limit.max()
                ? Answer.done(offer)
                : Answer.no(new Refused(Refusal.SKU_LIMIT, offer.sku().toString()));
    }

    /** Returns the events by which the account gets the chances of a recharge. */
    List<AccountEvent> booked(RechargeProgress taken, SkuOffer offer, LocalDate byTheClock) {
        if (offer.perUser() == null) {
            return List.of(taken.booked());
        }
        AccountId account = taken.accountId();
        return List.of(
                taken.booked(),
                new LimitedSkuTaken(
                        account.activityId(),
                        account.userId(),
                        taken.rechargeId(),
                        offer.sku(),
                        today(offer.sku(), byTheClock)));
    }

    SkuUses plus(LimitedSkuTaken taken) {
        Map<Long, UsageCount> more = new HashMap<>(uses);
        more.put(taken.sku().value(), of(taken.sku()).plus(taken.day()));
        return new SkuUses(Map.copyOf(more));
    }

    private UsageCount of(SkuId sku) {
        return uses.getOrDefault(sku.value(), UsageCount.NONE);
    }
}
