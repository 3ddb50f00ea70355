package lottery.api.award;

import java.util.Optional;
import lottery.api.Query;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;

/** Which awards does this user see on the wheel, and which are still locked? No activity, no answer. */
public record FindWheel(ActivityId activityId, UserId userId) implements Query<Optional<Wheel>> {}
