package lottery.api.account;

import java.util.Optional;
import lottery.api.Query;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;

/**
 * Asks for a user's chances in an activity. The answer is empty if there is no such activity. If the user has no
 * account in it, the answer is the free chances of the activity.
 */
public record FindChances(ActivityId activityId, UserId userId) implements Query<Optional<ChancesLeft>> {}
