package lottery.view.activity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.strategy.StrategyId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The row of an activity")
class ActivityRowTest {

    @Test
    @DisplayName("moves with events that are new to it, and with no other")
    void forwardOnly() {
        ActivityDefinition definition = new ActivityDefinition(
                "Spring", null, Instant.EPOCH, Instant.MAX, ZoneOffset.UTC, new StrategyId(1), List.of());
        ActivityRow row = new ActivityRow(new ActivityId(1), definition, ActivityState.EDIT, 0);

        row.move(ActivityState.ARRAIGNED, 1);
        row.move(ActivityState.PASSED, 2);
        row.move(ActivityState.ARRAIGNED, 1);
        row.move(ActivityState.CLOSED, 2);

        assertThat(row.toActivity().state()).isEqualTo(ActivityState.PASSED);
    }
}
