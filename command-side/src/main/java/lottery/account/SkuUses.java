package lottery.account;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.HashMap;
import java.util.Map;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.account.AccountEvent.LimitedSkuTaken;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuLimit;
import lottery.api.activity.SkuOffer;

/** Counts how often a user has had each SKU that has a limit per user. */
final class SkuUses {

    private final Map<SkuId, UsageCount> uses = new HashMap<>();

    /** Returns the current day, which is never before a day that is booked for this SKU. */
    LocalDate today(SkuId sku, LocalDate byTheClock) {
        LocalDate latest = uses.getOrDefault(sku, UsageCount.NONE).day();
        return latest.isAfter(byTheClock) ? latest : byTheClock;
    }

    /** Checks that the user can have this SKU once more. */
    Answer<SkuOffer> requireLeft(SkuOffer offer, LocalDate byTheClock) {
        SkuLimit limit = offer.perUser();
        if (limit == null) {
            return Answer.done(offer);
        }
        UsageCount count = uses.getOrDefault(offer.sku(), UsageCount.NONE);
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

    void count(LimitedSkuTaken taken) {
        uses.merge(taken.sku(), UsageCount.NONE.plus(taken.day()), (before, _) -> before.plus(taken.day()));
    }
}
