package lottery.api.strategy;

import java.util.Optional;
import lottery.api.Query;
import lottery.api.activity.ActivityId;

/** Have the draws of this activity come out as was promised? Empty: there is no such activity. */
public record FindOddsAudit(ActivityId activityId) implements Query<Optional<OddsAudit>> {}
