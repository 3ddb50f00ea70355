package lottery.activity;

import java.util.Optional;
import lottery.api.SubmissionFlaw;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityId;

/** Finds a flaw in the audience of an activity: its decision tree leads nobody to the activity. */
@FunctionalInterface
public interface AudienceDefinitionCheck {

    Optional<SubmissionFlaw> flaw(ActivityId activityId, ActivityDefinition definition);
}
