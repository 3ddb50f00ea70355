package lottery.api.pool;

import lottery.api.AggregateId;
import lottery.api.activity.ActivityId;

/** The id of an activity's pool. */
public record PoolId(ActivityId activityId) implements AggregateId {

    @Override
    public String text() {
        return "pool:" + activityId.value();
    }

    @Override
    public String toString() {
        return text();
    }
}
