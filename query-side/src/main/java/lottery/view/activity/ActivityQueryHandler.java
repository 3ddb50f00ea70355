package lottery.view.activity;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lottery.api.activity.FindActivities;
import lottery.api.activity.FindActivity;
import lottery.api.activity.ListedActivities;
import lottery.api.activity.ListedActivity;
import lottery.api.activity.ListedActivity.AwardStock;
import lottery.api.activity.SkuId;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.Paging.Page;
import lottery.view.stock.StockUsage;
import lottery.view.stock.StockUsageReader;
import org.axonframework.queryhandling.QueryHandler;
import org.springframework.stereotype.Component;

@Component
class ActivityQueryHandler {

    private final RedisActivityReadModel activities;
    private final ActivityRowRepository rows;
    private final StockUsageReader stocks;

    ActivityQueryHandler(RedisActivityReadModel activities, ActivityRowRepository rows, StockUsageReader stocks) {
        this.activities = activities;
        this.rows = rows;
        this.stocks = stocks;
    }

    @QueryHandler
    Optional<ListedActivity> answer(FindActivity query) {
        return activities.row(query.activityId()).map(this::whole);
    }

    /** Returns an activity with the facts that a list leaves out: the stock that is left, and the rounds. */
    private ListedActivity whole(ActivityRow row) {
        ListedActivity activity = row.toListed();
        Map<SkuId, Integer> skus = new HashMap<>();
        List<AwardStock> awards = new ArrayList<>();
        for (StockUsage stock : stocks.of(activity.activityId())) {
            switch (stock.kind()) {
                case SKU -> skus.put(new SkuId(stock.number()), stock.left());
                case AWARD ->
                    awards.add(new AwardStock(
                            Math.toIntExact(stock.number()), stock.title(), stock.total(), stock.left()));
            }
        }
        return activity.with(skus, awards, row.rounds());
    }

    @QueryHandler
    ListedActivities answer(FindActivities query) {
        // One item more than asked for shows whether there is a next page.
        List<ActivityRow> found = find(query, query.limit() + 1);
        Page<ActivityRow> page = Paging.pageOf(
                found, query.limit(), activity -> activity.cursor().text());
        return new ListedActivities(page.each(ActivityRow::toListed), page.next());
    }

    private List<ActivityRow> find(FindActivities query, int limit) {
        long below = PageCursor.below(query.cursor());
        return query.state() == null ? rows.below(below, limit) : rows.belowIn(query.state(), below, limit);
    }
}
