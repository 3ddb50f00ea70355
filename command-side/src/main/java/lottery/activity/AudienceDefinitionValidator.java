package lottery.activity;

import java.util.Optional;
import lottery.api.SubmissionFlaw;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityId;

/**
 * Checks the audience of an activity. It is a flaw if the decision tree of the audience leads nobody to the activity.
 */
@FunctionalInterface
public interface AudienceDefinitionValidator {

    Optional<SubmissionFlaw> flaw(ActivityId activityId, ActivityDefinition definition);
}
