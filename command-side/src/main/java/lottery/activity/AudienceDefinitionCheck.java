package lottery.activity;

import java.util.Optional;
import lottery.api.SubmissionFlaw;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityId;

/** Finds the flaw in the audience of an activity: a tree that leads nobody there. */
@FunctionalInterface
public interface AudienceDefinitionCheck {

    Optional<SubmissionFlaw> flaw(ActivityId activityId, ActivityDefinition definition);
}
