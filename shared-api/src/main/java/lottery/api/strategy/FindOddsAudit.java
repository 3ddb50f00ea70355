package lottery.api.strategy;

import java.util.Optional;
import lottery.api.Query;
import lottery.api.activity.ActivityId;

/** Asks whether the draws of an activity agree with the promised odds. Empty: there is no such activity. */
public record FindOddsAudit(ActivityId activityId) implements Query<Optional<OddsAudit>> {}
