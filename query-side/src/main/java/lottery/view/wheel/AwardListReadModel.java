package lottery.view.wheel;

import java.util.List;
import java.util.Optional;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyId;
import lottery.view.redis.RedisReadModel;
import lottery.view.redis.RedisReadModels;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.springframework.stereotype.Component;

/** Reads award lists from Redis, and from PostgreSQL behind it. */
@Component
@ProcessingGroup(RedisReadModels.GROUP)
class AwardListReadModel {

    private static final AwardList NONE = new AwardList(0, List.of());

    private final RedisReadModel<StrategyId, AwardList> lists;

    AwardListReadModel(RedisReadModels redis, AwardRows rows) {
        this.lists = redis.of(
                AwardList.class,
                id -> Optional.of(AwardList.of(rows.newest(id.value())).versioned()));
    }

    @EventHandler
    void on(StrategyEvent event, @SequenceNumber long sequence) {
        lists.follow(event.strategyId(), sequence, _ -> AwardList.of(event));
    }

    AwardList find(StrategyId id) {
        return lists.find(id).orElse(NONE);
    }

    /** Returns the list in PostgreSQL. */
    AwardList stored(StrategyId id) {
        return lists.stored(id).orElse(NONE);
    }
}
