package lottery.view.account;

import java.time.InstantSource;
import java.time.LocalDate;
import java.util.Optional;
import lottery.api.account.ChancesLeft;
import lottery.api.account.FindChances;
import lottery.view.activity.Activities;
import org.axonframework.queryhandling.QueryHandler;
import org.springframework.stereotype.Component;

@Component
class ChancesAnswers {

    private final Activities activities;
    private final AccountRows rows;
    private final InstantSource clock;

    ChancesAnswers(Activities activities, AccountRows rows, InstantSource clock) {
        this.activities = activities;
        this.rows = rows;
        this.clock = clock;
    }

    @QueryHandler
    Optional<ChancesLeft> answer(FindChances query) {
        return activities.find(query.activityId()).map(activity -> chancesOn(activity.dayAt(clock.instant()), query));
    }

    private ChancesLeft chancesOn(LocalDate today, FindChances query) {
        return rows.findById(AccountKey.of(query.activityId(), query.userId()))
                .map(row -> row.chancesOn(today))
                .orElseGet(() -> Chances.NONE.on(today, null));
    }
}
