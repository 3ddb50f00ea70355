package lottery.api.award;

import java.util.Optional;
import lottery.api.Query;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;

/**
 * Asks for the awards that a user sees on the wheel, and which of them are still locked. The answer is empty if there
 * is no such activity.
 *
 * @param upToDate whether the answer has to come from the tables instead of a cache, which takes longer
 */
public record FindWheel(ActivityId activityId, UserId userId, boolean upToDate) implements Query<Optional<UserWheel>> {

    public FindWheel(ActivityId activityId, UserId userId) {
        this(activityId, userId, false);
    }
}
