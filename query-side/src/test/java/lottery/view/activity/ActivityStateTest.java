package lottery.view.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuOffer;
import lottery.api.strategy.StrategyId;
import lottery.view.activity.ActivityProjection.ActivityColumns;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The row of an activity")
class ActivityStateTest {

    private static final ActivityId ID = new ActivityId(1);

    @Test
    @DisplayName("The row has the state after its events, and the version of the newest one.")
    void state() {
        ActivityColumns row = after(
                new ActivityCreated(ID, definition("Spring")),
                new ActivitySubmitted(ID),
                new ActivityPassed(ID, 1, "hash of 1"));

        assertThat(row.state()).isEqualTo(ActivityState.PASSED);
        assertThat(row.version()).isEqualTo(2);
    }

    @Test
    @DisplayName("An edit replaces the whole definition.")
    void edited() {
        ActivityColumns row =
                after(new ActivityCreated(ID, definition("Spring")), new ActivityEdited(ID, definition("Summer")));

        assertThat(row.name()).isEqualTo("Summer");
        assertThat(row.state()).isEqualTo(ActivityState.EDIT);
        assertThat(ActivityColumnCodec.definition(row.definition())).isEqualTo(definition("Summer"));
    }

    @Test
    @DisplayName("The first event of a row has to be the creation.")
    void unborn() {
        assertThatThrownBy(() -> after(new ActivitySubmitted(ID))).hasMessageContaining("before it was created");
    }

    private static ActivityColumns after(ActivityEvent... events) {
        @Nullable ActivityColumns row = null;
        for (int sequence = 0; sequence < events.length; sequence++) {
            row = ActivityColumns.after(row, events[sequence], sequence);
        }
        return Objects.requireNonNull(row);
    }

    private static ActivityDefinition definition(String name) {
        return new ActivityDefinition(
                name,
                null,
                Instant.parse("2026-01-01T00:00:00.123456789Z"),
                Instant.parse("2036-01-01T00:00:00Z"),
                ZoneOffset.UTC,
                new StrategyId(1),
                1_000_000,
                null,
                null,
                List.of(new SkuOffer(
                        new SkuId(9001), "Sign-in", new ChanceBundle(3, 2, 1), 500, null, null, null, null)));
    }
}
