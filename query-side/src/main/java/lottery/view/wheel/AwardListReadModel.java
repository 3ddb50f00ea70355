package lottery.view.wheel;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyId;
import lottery.store.log.Logs;
import lottery.view.activity.ActivityFacts;
import lottery.view.redis.RedisCachedReadModel;
import lottery.view.redis.RedisReadModelFactory;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.springframework.stereotype.Component;

/** Reads award lists from Redis, or from PostgreSQL if Redis cannot give the answer. */
@Component
@ProcessingGroup(RedisReadModelFactory.GROUP)
class AwardListReadModel {

    private static final StrategyWheelAwards NONE = new StrategyWheelAwards(0, List.of());

    private static final long OLDER_MAX = 1_000;
    private static final Duration OLDER_KEPT = Duration.ofMinutes(10);

    private final RedisCachedReadModel<StrategyId, StrategyWheelAwards> lists;

    /** Caches the lists of versions that are not the newest. A version never changes. */
    private final Cache<StrategyVersionKey, StrategyWheelAwards> older = Caffeine.newBuilder()
            .maximumSize(OLDER_MAX)
            .expireAfterAccess(OLDER_KEPT)
            .build();

    private final StrategyAwardRowRepository rows;
    private final Logs logs;

    private record StrategyVersionKey(StrategyId strategyId, int number) {}

    AwardListReadModel(RedisReadModelFactory redis, StrategyAwardRowRepository rows, Logs logs) {
        this.rows = rows;
        this.logs = logs;
        this.lists = redis.of(
                StrategyWheelAwards.class,
                id -> Optional.of(
                        StrategyWheelAwards.of(rows.newest(id.value())).versioned()));
    }

    @EventHandler
    void on(StrategyEvent event, @SequenceNumber long sequence) {
        lists.updateIfCached(event.strategyId(), sequence, _ -> StrategyWheelAwards.of(event));
    }

    /** Returns the list of the version that an activity draws by. */
    StrategyWheelAwards find(ActivityFacts activity) {
        return approved(activity, lists.find(activity.strategyId()).orElse(NONE));
    }

    /**
     * Returns the list of the approved version. If no version is approved, or if the rows of that version are not
     * stored yet, it returns the list of the newest version.
     */
    private StrategyWheelAwards approved(ActivityFacts activity, StrategyWheelAwards newest) {
        ApprovedStrategy approved = activity.approved();
        if (approved == null || approved.version() == newest.version()) {
            return newest;
        }
        StrategyVersionKey version = new StrategyVersionKey(activity.strategyId(), approved.version());
        StrategyWheelAwards known = older.getIfPresent(version);
        if (known != null) {
            return known;
        }
        StrategyWheelAwards read = StrategyWheelAwards.of(
                logs.home().call(() -> rows.of(version.strategyId().value(), version.number())));
        if (read.version() == 0) {
            return newest;
        }
        older.put(version, read);
        return read;
    }
}
