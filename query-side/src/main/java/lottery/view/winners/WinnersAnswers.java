package lottery.view.winners;

import lottery.api.award.FindWinners;
import lottery.api.award.Winners;
import org.axonframework.queryhandling.QueryHandler;
import org.springframework.stereotype.Component;

@Component
class WinnersAnswers {

    private final WinnerRows rows;

    WinnersAnswers(WinnerRows rows) {
        this.rows = rows;
    }

    @QueryHandler
    Winners answer(FindWinners query) {
        return new Winners(rows.newest(query.activityId(), query.limit()));
    }
}
