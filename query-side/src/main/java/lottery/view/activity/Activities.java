package lottery.view.activity;

import java.util.Optional;
import lottery.api.activity.ActivityId;
import org.springframework.stereotype.Component;

/** All activities that there are. */
@Component
public class Activities {

    private final ActivityIds ids;
    private final ActivityRows rows;

    Activities(ActivityIds ids, ActivityRows rows) {
        this.ids = ids;
        this.rows = rows;
    }

    /** No if nobody has created it, or if that has not been read yet. */
    public boolean has(ActivityId activityId) {
        return ids.has(activityId);
    }

    /** Empty if there is none. */
    public Optional<Activity> find(ActivityId activityId) {
        return row(activityId).map(ActivityRow::toActivity);
    }

    Optional<ActivityRow> row(ActivityId activityId) {
        return has(activityId) ? rows.findById(activityId.value()) : Optional.empty();
    }
}
