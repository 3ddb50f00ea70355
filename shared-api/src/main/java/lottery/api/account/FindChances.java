package lottery.api.account;

import java.util.Optional;
import lottery.api.Query;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;

/** How many chances has this user in this activity? No activity, no answer; nobody's account is all zeros. */
public record FindChances(ActivityId activityId, UserId userId) implements Query<Optional<ChancesLeft>> {}
