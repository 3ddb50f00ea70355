package lottery.rule;

import lottery.api.credit.CreditAmount;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import org.jspecify.annotations.Nullable;

/** Checks the number of credits of a CREDIT award. The number is its amount, or a value in its config. */
final class CreditAwardValidator {

    /** The key of the number in the config of an award. */
    private static final String KEY = "credits";

    private CreditAwardValidator() {}

    /**
     * Returns whether no number is given. The product's own fulfilment rejects such an award; another system may accept
     * it.
     */
    static boolean areMissing(AwardDefinition award) {
        return award.type() == AwardType.CREDIT && award.amount() == null && said(award) == null;
    }

    /** Returns whether the config has a value that is no valid number of credits. */
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
