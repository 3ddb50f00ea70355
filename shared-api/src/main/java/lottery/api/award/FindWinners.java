package lottery.api.award;

import java.util.Optional;
import lottery.api.Query;
import lottery.api.activity.ActivityId;

/** Asks for the winners of an activity, the newest first. The answer is empty if there is no such activity. */
public record FindWinners(ActivityId activityId, int limit) implements Query<Optional<Winners>> {

    public static final int LIMIT_MAX = 100;
}
