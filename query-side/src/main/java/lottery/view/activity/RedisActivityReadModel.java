package lottery.view.activity;

import java.util.Optional;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityId;
import lottery.view.redis.RedisCachedReadModel;
import lottery.view.redis.RedisReadModelFactory;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.springframework.stereotype.Component;

/** Reads activities from Redis and PostgreSQL. */
@Component
@ProcessingGroup(RedisReadModelFactory.GROUP)
public class RedisActivityReadModel {

    private final KnownActivityIds ids;
    private final ActivityRowRepository rows;
    private final RedisCachedReadModel<ActivityId, ActivityFacts> inRedis;

    RedisActivityReadModel(KnownActivityIds ids, ActivityRowRepository rows, RedisReadModelFactory redis) {
        this.ids = ids;
        this.rows = rows;
        this.inRedis =
                redis.of(ActivityFacts.class, id -> rows.findById(id.value()).map(ActivityRow::versioned));
    }

    @EventHandler
    void on(ActivityEvent event, @SequenceNumber long sequence) {
        inRedis.updateIfCached(event.activityId(), sequence, activity -> activity.evolve(event));
    }

    /**
     * Returns whether the activity exists. If the caller has named no position, an activity that was created a moment
     * ago may still be unknown.
     */
    public boolean has(ActivityId activityId) {
        return ids.has(activityId);
    }

    /** Returns the activity from Redis, or else from its row; empty if there is none. */
    public Optional<ActivityFacts> recent(ActivityId activityId) {
        return has(activityId) ? inRedis.find(activityId) : Optional.empty();
    }

    /** Returns the activity from its row; empty if there is none. */
    public Optional<ActivityFacts> find(ActivityId activityId) {
        return row(activityId).map(ActivityRow::toActivity);
    }

    Optional<ActivityRow> row(ActivityId activityId) {
        return has(activityId) ? rows.findById(activityId.value()) : Optional.empty();
    }
}
