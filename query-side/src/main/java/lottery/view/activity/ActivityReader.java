package lottery.view.activity;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.activity.ListedActivities;
import lottery.api.activity.ListedActivity;
import lottery.api.activity.ListedActivity.AwardStock;
import lottery.api.activity.SkuId;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.Paging.Page;
import lottery.view.Query;
import lottery.view.stock.StockUsage;
import lottery.view.stock.StockUsageReader;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Answers the queries about activities. */
@Component
public class ActivityReader {

    /** Asks for the definition and the state of an activity. */
    record FindActivity(ActivityId activityId) implements Query<Optional<ListedActivity>> {}

    /**
     * Asks for the activities, the highest ids first.
     *
     * @param state the state of the activities that are asked for; null for all
     * @param cursor where the previous page ended; null for the first page
     */
    record FindActivities(
            @Nullable ActivityState state, @Nullable String cursor, int limit) implements Query<ListedActivities> {}

    private final RedisActivityReadModel activities;
    private final ActivityRowRepository rows;
    private final StockUsageReader stocks;

    ActivityReader(RedisActivityReadModel activities, ActivityRowRepository rows, StockUsageReader stocks) {
        this.activities = activities;
        this.rows = rows;
        this.stocks = stocks;
    }

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

    ListedActivities answer(FindActivities query) {
        // One item more than asked for shows whether there is a next page.
        List<ActivityRow> found = find(query, query.limit() + 1);
        Page<ActivityRow> page = Paging.pageOf(
                found, query.limit(), activity -> activity.cursor().text());
        return new ListedActivities(page.each(ActivityRow::toListed), page.next());
    }

    /** Returns the activity with the highest id, if there is one. */
    public Optional<ActivityId> newest() {
        return rows.below(PageCursor.below(null), 1).stream()
                .map(row -> row.toActivity().activityId())
                .findFirst();
    }

    private List<ActivityRow> find(FindActivities query, int limit) {
        long below = PageCursor.below(query.cursor());
        return query.state() == null ? rows.below(below, limit) : rows.belowIn(query.state(), below, limit);
    }
}
