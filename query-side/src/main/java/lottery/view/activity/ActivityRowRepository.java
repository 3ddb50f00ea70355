package lottery.view.activity;

import java.util.List;
import java.util.Optional;
import lottery.api.activity.ActivityState;
import lottery.store.log.HomeLog;
import lottery.store.projection.RowReader;
import lottery.view.activity.ActivityProjection.ActivityColumns;
import lottery.view.activity.ActivityProjection.ActivityRowKey;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/** Reads activities. */
@Component
class ActivityRowRepository {

    private final RowReader<ActivityRowKey, ActivityColumns> rows;

    ActivityRowRepository(@HomeLog JdbcOperations database) {
        this.rows = new RowReader<>(database, ActivityProjection.TABLE, ActivityRowKey.class, ActivityColumns.class);
    }

    Optional<ActivityRow> findById(long activityId) {
        return rows.find(ActivityRow::new, "activity_id = ?", activityId).stream()
                .findFirst();
    }

    List<ActivityRow> below(long below, int limit) {
        return rows.find(ActivityRow::new, "activity_id < ? ORDER BY activity_id DESC LIMIT ?", below, limit);
    }

    List<ActivityRow> belowIn(ActivityState state, long below, int limit) {
        return rows.find(
                ActivityRow::new,
                "state = ? AND activity_id < ? ORDER BY activity_id DESC LIMIT ?",
                state.name(),
                below,
                limit);
    }
}
