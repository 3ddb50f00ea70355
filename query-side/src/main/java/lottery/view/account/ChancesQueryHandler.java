package lottery.view.account;

import java.time.InstantSource;
import java.time.LocalDate;
import java.util.Optional;
import lottery.api.account.AccountId;
import lottery.api.account.ChancesLeft;
import lottery.api.account.FindChances;
import lottery.view.activity.RedisActivityReadModel;
import org.axonframework.queryhandling.QueryHandler;
import org.springframework.stereotype.Component;

/** Answers how many chances a user has left in total, this month and today. */
@Component
class ChancesQueryHandler {

    private final RedisActivityReadModel activities;
    private final AccountReadModel accounts;
    private final InstantSource clock;

    ChancesQueryHandler(RedisActivityReadModel activities, AccountReadModel accounts, InstantSource clock) {
        this.activities = activities;
        this.accounts = accounts;
        this.clock = clock;
    }

    @QueryHandler
    Optional<ChancesLeft> answer(FindChances query) {
        return activities.recent(query.activityId()).map(activity -> {
            LocalDate today = activity.dayAt(clock.instant());
            return accounts.find(new AccountId(query.activityId(), query.userId()))
                    .chancesOn(today, activity.free());
        });
    }
}
