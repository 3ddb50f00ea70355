package lottery.activity;

import lottery.strategy.StrategyCache;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Provides the lookup whether the strategy of an activity has an award. */
@Configuration(proxyBeanMethods = false)
class AwardExistenceLookupConfiguration {

    /** Returns the lookup. It looks for the award in the version of the strategy that draws follow. */
    @Bean
    AwardExistenceLookup knownAwards(StrategyCache strategies) {
        return (activity, awardId) -> activity.rulesIn(strategies).stream()
                .flatMap(rules -> rules.definition().awards().stream())
                .anyMatch(award -> award.awardId() == awardId);
    }
}
