package lottery.view.activity;

import java.util.Optional;
import lottery.api.activity.ActivityId;
import org.springframework.stereotype.Component;

/** All activities that there are. */
@Component
public class Activities {

    private final ActivityRows rows;

    Activities(ActivityRows rows) {
        this.rows = rows;
    }

    /** Empty if nobody has created it, or if that has not been read yet. */
    public Optional<Activity> find(ActivityId activityId) {
        return rows.findById(activityId.value()).map(ActivityRow::toActivity);
    }
}
