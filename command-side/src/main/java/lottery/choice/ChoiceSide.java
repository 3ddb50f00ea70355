package lottery.choice;

import lottery.activity.Campaign;
import lottery.activity.Campaigns;
import lottery.api.Answer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What a tree has to know of the rest of the lottery. */
@Configuration(proxyBeanMethods = false)
class ChoiceSide {

    @Bean
    KnownActivities knownActivities(Campaigns campaigns) {
        return activityId -> switch (campaigns.find(activityId)) {
            case Answer.Done<Campaign> _ -> true;
            case Answer.No<Campaign> _ -> false;
        };
    }
}
