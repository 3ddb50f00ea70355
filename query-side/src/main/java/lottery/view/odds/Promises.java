package lottery.view.odds;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyId;
import lottery.view.strategy.Promised;
import org.springframework.stereotype.Component;

/** What draws are held against, for as long as the definition is in memory. */
@Component
class Promises {

    private final Promised promised;
    private final Cache<StrategyDefinition, Promise> known =
            Caffeine.newBuilder().weakKeys().build();

    Promises(Promised promised) {
        this.promised = promised;
    }

    Optional<Promise> find(StrategyId strategyId, int version) {
        return promised.find(strategyId, version).map(definition -> known.get(definition, Promise::new));
    }
}
