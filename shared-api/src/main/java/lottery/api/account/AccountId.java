package lottery.api.account;

import lottery.api.AggregateId;
import lottery.api.UserId;
import lottery.api.UserShard;
import lottery.api.activity.ActivityId;

/** The id of one user's account in one activity. */
public record AccountId(ActivityId activityId, UserId userId) implements AggregateId {

    @Override
    public String text() {
        return "account:" + UserShard.of(userId) + ":" + activityId.value() + ":" + userId;
    }

    @Override
    public String toString() {
        return text();
    }
}
