package lottery.view.activity;

import java.util.Optional;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityId;
import lottery.view.redis.RedisReadModel;
import lottery.view.redis.RedisReadModels;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.springframework.stereotype.Component;

/** All activities that there are. */
@Component
@ProcessingGroup(RedisReadModels.GROUP)
public class Activities {

    private final ActivityIds ids;
    private final ActivityRows rows;
    private final RedisReadModel<ActivityId, Activity> inRedis;

    Activities(ActivityIds ids, ActivityRows rows, RedisReadModels redis) {
        this.ids = ids;
        this.rows = rows;
        this.inRedis = redis.of(Activity.class, id -> rows.findById(id.value()).map(ActivityRow::versioned));
    }

    @EventHandler
    void on(ActivityEvent event, @SequenceNumber long sequence) {
        inRedis.follow(event.activityId(), sequence, activity -> activity.evolve(event));
    }

    /** No if nobody has created it, or if that has not been read yet. */
    public boolean has(ActivityId activityId) {
        return ids.has(activityId);
    }

    /** The value in Redis, or else the row; empty if there is none. */
    public Optional<Activity> recent(ActivityId activityId) {
        return has(activityId) ? inRedis.find(activityId) : Optional.empty();
    }

    /** The row at this moment; empty if there is none. */
    public Optional<Activity> find(ActivityId activityId) {
        return row(activityId).map(ActivityRow::toActivity);
    }

    Optional<ActivityRow> row(ActivityId activityId) {
        return has(activityId) ? rows.findById(activityId.value()) : Optional.empty();
    }
}
