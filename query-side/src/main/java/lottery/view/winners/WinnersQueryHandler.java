package lottery.view.winners;

import java.util.Optional;
import lottery.api.award.FindWinners;
import lottery.api.award.Winners;
import lottery.view.activity.RedisActivityReadModel;
import org.axonframework.queryhandling.QueryHandler;
import org.springframework.stereotype.Component;

@Component
class WinnersQueryHandler {

    private final RedisActivityReadModel activities;
    private final WinnerRowRepository rows;

    WinnersQueryHandler(RedisActivityReadModel activities, WinnerRowRepository rows) {
        this.activities = activities;
        this.rows = rows;
    }

    @QueryHandler
    Optional<Winners> answer(FindWinners query) {
        return activities.has(query.activityId())
                ? Optional.of(new Winners(rows.newest(query.activityId(), query.limit())))
                : Optional.empty();
    }
}
