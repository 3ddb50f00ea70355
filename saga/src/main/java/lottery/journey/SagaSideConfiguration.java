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

/** Configures all sagas, for a process with the role to run them, which provides the clock and event names. */
@Configuration(proxyBeanMethods = false)
@ComponentScan(nameGenerator = FullyQualifiedAnnotationBeanNameGenerator.class)
public class SagaSideConfiguration {

    /** The saga types as they are stored: a class may move, its name stays. */
    @Bean
    SagaNames sagaTypes() {
        return SagaNames.of(Map.of(
                "grant", AwardGrantSaga.class,
                "campaign", ActivitySaga.class,
                "pool", PoolSaga.class,
                "recharge", UnpaidRechargeSaga.class,
                "rebate", RebateSaga.class));
    }
}
