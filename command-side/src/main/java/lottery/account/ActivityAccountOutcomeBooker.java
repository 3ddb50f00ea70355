package lottery.account;

import lottery.activity.DrawableActivity;
import lottery.api.account.AccountId;
import lottery.api.raffle.RaffleOrderId;
import lottery.raffle.AccountOutcomeBooker;
import lottery.raffle.PriorDraws;
import org.axonframework.modelling.command.Aggregate;
import org.axonframework.modelling.command.Repository;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/** Books the outcome of an order on its account. */
@Component
class ActivityAccountOutcomeBooker implements AccountOutcomeBooker {

    private final Repository<ActivityAccount> accounts;
    private final ActivityParticipationStock participations;

    ActivityAccountOutcomeBooker(
            @Lazy @Qualifier("activityAccountRepository") Repository<ActivityAccount> accounts,
            ActivityParticipationStock participations) {
        this.accounts = accounts;
        this.participations = participations;
    }

    @Override
    public PriorDraws use(AccountId accountId, RaffleOrderId orderId, DrawableActivity activity) {
        return load(accountId).invoke(account -> account.useOpenOrder(accountId, orderId, activity));
    }

    @Override
    public void cancel(AccountId accountId, RaffleOrderId orderId) {
        load(accountId).execute(account -> account.cancelOpenOrder(accountId, orderId, participations));
    }

    @Override
    public void countWin(AccountId accountId, RaffleOrderId orderId, int awardId) {
        load(accountId).execute(account -> account.countWin(accountId, orderId, awardId));
    }

    private Aggregate<ActivityAccount> load(AccountId accountId) {
        return accounts.load(accountId.text());
    }
}
