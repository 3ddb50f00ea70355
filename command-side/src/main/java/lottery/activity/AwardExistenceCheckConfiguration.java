package lottery.activity;

import lottery.strategy.StrategyCache;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Provides what an activity has to know about strategies. */
@Configuration(proxyBeanMethods = false)
class AwardExistenceCheckConfiguration {

    /** Looks into the version that draws follow. */
    @Bean
    AwardExistenceCheck knownAwards(StrategyCache strategies) {
        return (activity, awardId) -> activity.rulesIn(strategies).stream()
                .flatMap(rules -> rules.definition().awards().stream())
                .anyMatch(award -> award.awardId() == awardId);
    }
}
