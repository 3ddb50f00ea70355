package lottery.api.strategy;

import java.util.Optional;
import lottery.api.Query;
import lottery.api.activity.ActivityId;

/**
 * Asks whether the draws of an activity agree with the published odds. The answer is empty if there is no such
 * activity.
 */
public record FindOddsAudit(ActivityId activityId) implements Query<Optional<OddsAudit>> {}
