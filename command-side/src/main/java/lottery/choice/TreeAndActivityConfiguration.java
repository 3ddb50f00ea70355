package lottery.choice;

import java.util.Optional;
import lottery.activity.ActivityCache;
import lottery.activity.ActivityProgress;
import lottery.activity.AudienceDefinitionValidator;
import lottery.api.Answer;
import lottery.api.SubmissionFlaw;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Provides the checks between trees and activities: whether the results of a tree are activities that exist, and
 * whether a tree can lead a user to an activity.
 */
@Configuration(proxyBeanMethods = false)
class TreeAndActivityConfiguration {

    @Bean
    AudienceDefinitionValidator audiences(CompiledDecisionTreeCache trees) {
        return (activityId, definition) -> Optional.ofNullable(definition.audience())
                .filter(audience -> trees.find(audience)
                        .filter(tree -> tree.mayLeadTo(activityId))
                        .isEmpty())
                .map(audience ->
                        new SubmissionFlaw("/audience", SubmissionFlaw.FlawKind.AUDIENCE_UNFIT, audience.text()));
    }

    @Bean
    ActivityExistenceLookup knownActivities(ActivityCache activities) {
        return activityId -> switch (activities.findInLog(activityId)) {
            case Answer.Done<ActivityProgress> _ -> true;
            case Answer.No<ActivityProgress> _ -> false;
        };
    }
}
