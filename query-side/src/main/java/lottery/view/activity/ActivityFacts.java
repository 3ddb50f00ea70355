package lottery.view.activity;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.SortedSet;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.activity.Budget;
import lottery.api.activity.ChanceBundle;
import lottery.api.strategy.StrategyId;
import org.jspecify.annotations.Nullable;

/**
 * The facts about an activity that the other read models need.
 *
 * @param free the chances that each user has without a recharge; null if there are none
 * @param budget how much the awards may cost; null if there is no limit
 * @param approved the version of the strategy that draws follow; null if the activity is not passed
 * @param held the awards that are held, so that draws do not win them now
 */
public record ActivityFacts(
        ActivityId activityId,
        StrategyId strategyId,
        String name,
        ZoneId zone,
        ActivityState state,
        @Nullable ChanceBundle free,
        @Nullable Budget budget,
        @Nullable ApprovedStrategy approved,
        SortedSet<Integer> held) {

    public ActivityFacts {
        requireNonNull(activityId);
        requireNonNull(strategyId);
        requireNonNull(name);
        requireNonNull(zone);
        requireNonNull(state);
        requireNonNull(held);
    }

    ActivityFacts evolve(ActivityEvent event) {
        ActivityState arrived = ActivityStateFold.after(event, state);
        return event instanceof ActivityEdited edited
                ? of(activityId, edited.definition(), arrived, held)
                : new ActivityFacts(
                        activityId,
                        strategyId,
                        name,
                        zone,
                        arrived,
                        free,
                        budget,
                        ApprovedStrategy.after(approved, event),
                        ActivityStateFold.heldAfter(event, held));
    }

    private static ActivityFacts of(
            ActivityId activityId, ActivityDefinition definition, ActivityState state, SortedSet<Integer> held) {
        return new ActivityFacts(
                activityId,
                definition.strategyId(),
                definition.name(),
                definition.zone(),
                state,
                definition.free(),
                definition.budget(),
                null,
                held);
    }

    /** Returns the day in the activity's zone. */
    public LocalDate dayAt(Instant now) {
        return LocalDate.ofInstant(now, zone);
    }
}
