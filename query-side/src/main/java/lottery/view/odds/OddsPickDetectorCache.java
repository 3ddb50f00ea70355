package lottery.view.odds;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyId;
import lottery.view.strategy.StrategyVersionLogReader;
import org.springframework.stereotype.Component;

/** Caches a detector for each version of a strategy, as long as the definition of the version is in memory. */
@Component
class OddsPickDetectorCache {

    private final StrategyVersionLogReader promised;
    private final Cache<StrategyDefinition, OddsPickDetector> known =
            Caffeine.newBuilder().weakKeys().build();

    OddsPickDetectorCache(StrategyVersionLogReader promised) {
        this.promised = promised;
    }

    Optional<OddsPickDetector> find(StrategyId strategyId, int version) {
        return promised.find(strategyId, version).map(definition -> known.get(definition, OddsPickDetector::new));
    }
}
