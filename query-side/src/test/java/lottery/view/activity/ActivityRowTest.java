package lottery.view.activity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.activity.Bundle;
import lottery.api.activity.ListedActivity;
import lottery.api.activity.Sku;
import lottery.api.activity.SkuOffer;
import lottery.api.strategy.StrategyId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The row of an activity")
class ActivityRowTest {

    private static final ActivityId ID = new ActivityId(1);

    private final ActivityRow row = new ActivityRow(ID, definition("Spring"), 0);

    @Test
    @DisplayName("moves with events that are new to it, and with no other")
    void forwardOnly() {
        row.on(new ActivitySubmitted(ID), 1);
        row.on(new ActivityPassed(ID), 2);
        row.on(new ActivitySubmitted(ID), 1);
        row.on(new ActivityClosed(ID), 2);

        assertThat(row.toActivity().state()).isEqualTo(ActivityState.PASSED);
    }

    @Test
    @DisplayName("is described anew by an edit, and says all of what it was described with")
    void edited() {
        row.on(new ActivityEdited(ID, definition("Summer")), 1);
        row.on(new ActivityEdited(ID, definition("Winter")), 1);

        assertThat(row.toActivity().name()).isEqualTo("Summer");
        assertThat(row.toListed()).isEqualTo(ListedActivity.of(ID, ActivityState.EDIT, definition("Summer")));
        assertThat(row.toListed().participationsMax()).isEqualTo(1_000_000);
        assertThat(row.toListed().skus())
                .containsExactly(new ListedActivity.Offer(new Sku(9001), "Sign-in", 3, 2, 1, 500, null));
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
                List.of(new SkuOffer(new Sku(9001), "Sign-in", new Bundle(3, 2, 1), 500)));
    }
}
