package lottery.view.activity;

import java.time.ZoneId;
import java.util.List;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ListedActivity;
import lottery.api.activity.RoundCommitment;
import lottery.api.strategy.StrategyId;
import lottery.view.PageCursor;
import lottery.view.activity.ActivityProjection.ActivityColumns;
import lottery.view.activity.ActivityProjection.ActivityRowKey;
import lottery.view.redis.Versioned;

/** The row of an activity; {@link ActivityProjection} writes it. */
record ActivityRow(ActivityRowKey key, ActivityColumns columns) {

    ListedActivity toListed() {
        return ListedActivity.of(
                new ActivityId(key.activityId()),
                columns.state(),
                ActivityColumnCodec.definition(columns.definition()),
                columns.approved(),
                ActivityColumnCodec.held(columns.heldAwards()));
    }

    List<RoundCommitment> rounds() {
        return ActivityColumnCodec.rounds(columns.rounds());
    }

    PageCursor cursor() {
        return new PageCursor(key.activityId());
    }

    Versioned<ActivityFacts> versioned() {
        return new Versioned<>(toActivity(), columns.version());
    }

    ActivityFacts toActivity() {
        ActivityDefinition definition = ActivityColumnCodec.definition(columns.definition());
        return new ActivityFacts(
                new ActivityId(key.activityId()),
                new StrategyId(columns.strategyId()),
                columns.name(),
                ZoneId.of(columns.zone()),
                columns.state(),
                definition.free(),
                definition.budget(),
                columns.approved(),
                ActivityColumnCodec.held(columns.heldAwards()));
    }
}
