package lottery.api.account;

import java.util.Optional;
import lottery.api.Query;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;

/**
 * Asks for a user's chances in an activity. Without such an activity there is no answer; without an account they are
 * the free ones of the activity.
 */
public record FindChances(ActivityId activityId, UserId userId) implements Query<Optional<ChancesLeft>> {}
