package lottery.view.activity;

import java.util.List;
import java.util.Optional;
import lottery.api.activity.FindActivities;
import lottery.api.activity.FindActivity;
import lottery.api.activity.ListedActivities;
import lottery.api.activity.ListedActivity;
import org.axonframework.queryhandling.QueryHandler;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

@Component
class ActivityAnswers {

    private final ActivityRows rows;

    ActivityAnswers(ActivityRows rows) {
        this.rows = rows;
    }

    @QueryHandler
    Optional<ListedActivity> answer(FindActivity query) {
        return rows.findById(query.activityId().value()).map(ActivityRow::toListed);
    }

    @QueryHandler
    ListedActivities answer(FindActivities query) {
        // One more than asked for tells whether there is a next page.
        List<ActivityRow> found = find(query, Limit.of(query.limit() + 1));
        boolean more = found.size() > query.limit();
        List<ActivityRow> page = more ? found.subList(0, query.limit()) : found;
        return new ListedActivities(
                page.stream().map(ActivityRow::toListed).toList(),
                more ? page.getLast().cursor().text() : null);
    }

    private List<ActivityRow> find(FindActivities query, Limit limit) {
        long below = query.cursor() == null
                ? Long.MAX_VALUE
                : Cursor.of(query.cursor())
                        .orElseThrow(() -> new IllegalArgumentException("not a cursor"))
                        .activityId();
        return query.state() == null ? rows.below(below, limit) : rows.belowIn(query.state(), below, limit);
    }
}
