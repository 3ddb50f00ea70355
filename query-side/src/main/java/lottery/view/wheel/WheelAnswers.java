package lottery.view.wheel;

import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.FindWheel;
import lottery.api.award.Wheel;
import lottery.view.activity.Activities;
import lottery.view.activity.Activity;
import lottery.view.stock.Shelf;
import lottery.view.stock.Stocks;
import org.axonframework.queryhandling.QueryHandler;
import org.springframework.stereotype.Component;

@Component
class WheelAnswers {

    private final Activities activities;
    private final AwardRows rows;
    private final Stocks stocks;
    private final DrawsToday draws;
    private final InstantSource clock;

    WheelAnswers(Activities activities, AwardRows rows, Stocks stocks, DrawsToday draws, InstantSource clock) {
        this.activities = activities;
        this.rows = rows;
        this.stocks = stocks;
        this.draws = draws;
        this.clock = clock;
    }

    @QueryHandler
    Optional<Wheel> answer(FindWheel query) {
        return activities.find(query.activityId()).map(activity -> wheel(activity, query));
    }

    private Wheel wheel(Activity activity, FindWheel query) {
        AccountId account = new AccountId(query.activityId(), query.userId());
        int drawsToday = draws.find(account).on(activity.dayAt(clock.instant()));
        Set<Integer> soldOut = soldOut(query.activityId());
        return new Wheel(rows
                .findByKeyStrategyIdOrderBySortAscKeyAwardIdAsc(
                        activity.strategyId().value())
                .stream()
                .map(row -> row.toField(drawsToday, soldOut.contains(row.awardId())))
                .toList());
    }

    private Set<Integer> soldOut(ActivityId activityId) {
        return stocks.of(activityId).stream()
                .filter(shelf -> shelf.kind() == Shelf.Kind.AWARD && shelf.isSoldOut())
                .map(shelf -> Math.toIntExact(shelf.number()))
                .collect(Collectors.toSet());
    }
}
