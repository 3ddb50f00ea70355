package lottery.saga;

import java.util.Map;
import lottery.saga.activity.ActivitySaga;
import lottery.saga.grant.AwardGrantSaga;
import lottery.saga.payment.PaymentSaga;
import lottery.saga.pool.PoolSaga;
import lottery.saga.rebate.RebateSaga;
import lottery.saga.recharge.UnpaidRechargeSaga;
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
                "payment", PaymentSaga.class,
                "rebate", RebateSaga.class));
    }
}
