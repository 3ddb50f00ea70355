package lottery.journey;

import java.util.Map;
import lottery.journey.activity.ActivitySaga;
import lottery.journey.grant.AwardGrantSaga;
import lottery.journey.pool.PoolSaga;
import lottery.journey.rebate.RebateSaga;
import lottery.journey.recharge.UnpaidRechargeSaga;
import lottery.store.saga.SagaNames;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FullyQualifiedAnnotationBeanNameGenerator;

/**
 * Configures all sagas for a process with the role to run them. That process provides the clock and the event names.
 */
@Configuration(proxyBeanMethods = false)
@ComponentScan(nameGenerator = FullyQualifiedAnnotationBeanNameGenerator.class)
public class SagaSideConfiguration {

    /** The names under which the types of sagas are stored. The name stays even if the class moves. */
    @Bean
    SagaNames sagaTypes() {
        return SagaNames.of(Map.of(
                "grant", AwardGrantSaga.class,
                "activity", ActivitySaga.class,
                "pool", PoolSaga.class,
                "recharge", UnpaidRechargeSaga.class,
                "rebate", RebateSaga.class));
    }
}
