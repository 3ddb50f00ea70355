package lottery.api.award;

import lottery.api.Query;
import lottery.api.activity.ActivityId;

/** Who has won something in this activity, the newest first? */
public record FindWinners(ActivityId activityId, int limit) implements Query<Winners> {

    public static final int LIMIT_MAX = 100;
}
