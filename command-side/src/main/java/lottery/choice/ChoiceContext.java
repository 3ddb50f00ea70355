package lottery.choice;

import lottery.activity.ActivityCache;
import lottery.activity.ActivityProgress;
import lottery.api.Answer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Provides what a tree has to know about the rest of the lottery. */
@Configuration(proxyBeanMethods = false)
class ChoiceContext {

    @Bean
    ActivityLookup knownActivities(ActivityCache activities) {
        return activityId -> switch (activities.find(activityId)) {
            case Answer.Done<ActivityProgress> _ -> true;
            case Answer.No<ActivityProgress> _ -> false;
        };
    }
}
