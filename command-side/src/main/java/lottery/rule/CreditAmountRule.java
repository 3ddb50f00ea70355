package lottery.rule;

import lottery.api.credit.CreditAmount;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import org.jspecify.annotations.Nullable;

/** How many credits a CREDIT award is: its amount, or what its config says. */
final class CreditAmountRule {

    /** In the config of an award. */
    private static final String KEY = "credits";

    private CreditAmountRule() {}

    /** The product's own fulfilment would reject it. Somebody else's may know better. */
    static boolean areMissing(AwardDefinition award) {
        return award.type() == AwardType.CREDIT && award.amount() == null && said(award) == null;
    }

    /** It says a number of credits, and that is none. */
    static boolean areUnreadable(AwardDefinition award) {
        String said = said(award);
        return award.type() == AwardType.CREDIT
                && award.amount() == null
                && said != null
                && CreditAmount.of(said).filter(credits -> credits.signum() > 0).isEmpty();
    }

    private static @Nullable String said(AwardDefinition award) {
        return award.config().get(KEY);
    }
}
