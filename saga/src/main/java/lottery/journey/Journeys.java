package lottery.journey;

import java.util.Map;
import lottery.journey.campaign.CampaignSaga;
import lottery.journey.grant.GrantSaga;
import lottery.journey.recharge.RechargeSaga;
import lottery.store.saga.SagaTypes;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FullyQualifiedAnnotationBeanNameGenerator;

/** All journeys, for a process with the role to run them. It brings the clock and the names of events. */
@Configuration(proxyBeanMethods = false)
@ComponentScan(nameGenerator = FullyQualifiedAnnotationBeanNameGenerator.class)
public class Journeys {

    /** Names that are in the store: a class may move, its name here stays. */
    @Bean
    SagaTypes sagaTypes() {
        return SagaTypes.of(Map.of(
                "grant", GrantSaga.class,
                "campaign", CampaignSaga.class,
                "recharge", RechargeSaga.class));
    }
}
