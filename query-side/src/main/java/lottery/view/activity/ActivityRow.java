package lottery.view.activity;

import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.ZoneId;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.strategy.StrategyId;

@Entity
@Table(name = "view_activity")
class ActivityRow {

    @Id
    private long activityId;

    private long strategyId;
    private String name;
    private String zone;

    @Enumerated(EnumType.STRING)
    private ActivityState state;

    private long version;

    /** For Hibernate. */
    @SuppressWarnings("NullAway.Init") // Hibernate fills the fields itself.
    protected ActivityRow() {}

    ActivityRow(ActivityId activityId, ActivityDefinition definition, ActivityState state, long version) {
        this.activityId = activityId.value();
        this.strategyId = definition.strategyId().value();
        this.name = definition.name();
        this.zone = definition.zone().getId();
        this.state = state;
        this.version = version;
    }

    void move(ActivityState to, long sequence) {
        if (sequence > version) {
            state = to;
            version = sequence;
        }
    }

    Activity toActivity() {
        return new Activity(new ActivityId(activityId), new StrategyId(strategyId), name, ZoneId.of(zone), state);
    }
}
