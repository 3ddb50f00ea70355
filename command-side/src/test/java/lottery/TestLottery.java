package lottery;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.security.SecureRandom;
import java.time.InstantSource;
import lottery.api.EventNames;
import lottery.problem.ProblemConfiguration;
import lottery.store.EventTypes;
import lottery.store.vault.PersonVaultConfiguration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The command side alone, as the tests of this module start it. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
    CommandSideConfiguration.class,
    CommandEndpointsConfiguration.class,
    ProblemConfiguration.class,
    PersonVaultConfiguration.class
})
class TestLottery {

    @Bean
    EventTypes eventTypes() {
        return EventTypes.of(EventNames.all(), EventNames::revisionOf);
    }

    @Bean
    InstantSource clock() {
        return InstantSource.system();
    }

    @Bean
    SecureRandom random() {
        return new SecureRandom();
    }

    @Bean
    DrawQueueInMemory drawQueue() {
        return new DrawQueueInMemory();
    }

    @Bean
    static WatchedLocks.OfAggregates watchedLocks() {
        return new WatchedLocks.OfAggregates();
    }

    @Bean
    static WatchedReads watchedReads() {
        return new WatchedReads();
    }

    @Bean
    MeterRegistry meters() {
        return new SimpleMeterRegistry();
    }
}
