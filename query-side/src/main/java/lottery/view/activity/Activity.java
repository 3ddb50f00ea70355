package lottery.view.activity;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.strategy.StrategyId;

/** What the other read models have to know of an activity. */
public record Activity(ActivityId activityId, StrategyId strategyId, String name, ZoneId zone, ActivityState state) {

    /** Which day it is there. */
    public LocalDate dayAt(Instant now) {
        return LocalDate.ofInstant(now, zone);
    }
}
