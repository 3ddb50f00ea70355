package lottery.api.strategy;

import lottery.api.Query;
import lottery.api.activity.ActivityId;

/** Have the draws of this activity come out as was promised? */
public record FindOddsAudit(ActivityId activityId) implements Query<OddsAudit> {}
