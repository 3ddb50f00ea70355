package lottery.account;

import java.time.LocalDate;
import lottery.api.Answer;
import lottery.api.account.AccountId;
import lottery.api.activity.SkuOffer;
import org.axonframework.modelling.command.AggregateNotFoundException;
import org.axonframework.modelling.command.Repository;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/**
 * Checks how often a user has had a SKU before the user pays for it. The limit holds when the SKU is delivered; this
 * check avoids that users pay for what they cannot get.
 */
@Component
public class SkuLimitGuard {

    private final Repository<ActivityAccount> accounts;

    SkuLimitGuard(@Lazy @Qualifier("activityAccountRepository") Repository<ActivityAccount> accounts) {
        this.accounts = accounts;
    }

    /** Checks that the user can have the SKU once more, in the current unit of work. */
    public Answer<SkuOffer> requireLeft(AccountId accountId, SkuOffer offer, LocalDate day) {
        if (offer.perUser() == null) {
            return Answer.done(offer);
        }
        try {
            return accounts.load(accountId.text()).invoke(account -> account.skuUses.requireLeft(offer, day));
        } catch (AggregateNotFoundException withoutAccount) {
            return Answer.done(offer);
        }
    }
}
