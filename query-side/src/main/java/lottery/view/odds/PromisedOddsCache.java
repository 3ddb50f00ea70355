package lottery.view.odds;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyId;
import lottery.view.strategy.StrategyVersionReader;
import org.springframework.stereotype.Component;

/** Caches the promised odds for as long as their definition is in memory. */
@Component
class PromisedOddsCache {

    private final StrategyVersionReader promised;
    private final Cache<StrategyDefinition, PromisedOdds> known =
            Caffeine.newBuilder().weakKeys().build();

    PromisedOddsCache(StrategyVersionReader promised) {
        this.promised = promised;
    }

    Optional<PromisedOdds> find(StrategyId strategyId, int version) {
        return promised.find(strategyId, version).map(definition -> known.get(definition, PromisedOdds::new));
    }
}
