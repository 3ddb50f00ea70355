package lottery.api.account;

import java.util.Optional;
import lottery.api.Query;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;

/**
 * Asks for a user's chances in an activity. If there is no such activity, there is no answer. If the user has no
 * account, the answer is the free chances of the activity.
 */
public record FindChances(ActivityId activityId, UserId userId) implements Query<Optional<ChancesLeft>> {}
