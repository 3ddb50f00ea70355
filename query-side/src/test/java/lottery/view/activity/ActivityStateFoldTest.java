package lottery.view.activity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityOpened;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityPaused;
import lottery.api.activity.ActivityEvent.ActivityRefused;
import lottery.api.activity.ActivityEvent.ActivityResumed;
import lottery.api.activity.ActivityEvent.ActivityRevoked;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityEvent.AwardHeld;
import lottery.api.activity.ActivityEvent.HeldAwardReleased;
import lottery.api.activity.ActivityEvent.SeedPublished;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The state of an activity after an event")
class ActivityStateFoldTest {

    @Test
    @DisplayName("The state follows from the last event.")
    void arrives() {
        ActivityId id = new ActivityId(1);
        Map<Class<?>, ActivityState> arrivals = Stream.<ActivityEvent>of(
                        new ActivitySubmitted(id),
                        new ActivityPassed(id, 1, "hash of 1"),
                        new ActivityRefused(id),
                        new ActivityRevoked(id),
                        new ActivityStarted(id, 1, "commitment", "k1:sealed", "bound to 1"),
                        new ActivityPaused(id),
                        new ActivityResumed(id),
                        new ActivityClosed(id),
                        new ActivityOpened(id))
                .collect(Collectors.toMap(
                        Object::getClass, event -> ActivityStateFold.after(event, ActivityState.EDIT)));

        assertThat(arrivals)
                .isEqualTo(Map.of(
                        ActivityPaused.class, ActivityState.PAUSED,
                        ActivityResumed.class, ActivityState.DOING,
                        ActivitySubmitted.class, ActivityState.ARRAIGNED,
                        ActivityPassed.class, ActivityState.PASSED,
                        ActivityRefused.class, ActivityState.REFUSED,
                        ActivityRevoked.class, ActivityState.EDIT,
                        ActivityStarted.class, ActivityState.DOING,
                        ActivityClosed.class, ActivityState.CLOSED,
                        ActivityOpened.class, ActivityState.OPENED));
    }

    @Test
    @DisplayName("A held award stays held through all other events, until it is released.")
    void held() {
        ActivityId id = new ActivityId(1);
        SortedSet<Integer> held = Collections.emptySortedSet();
        for (ActivityEvent event : List.of(
                new AwardHeld(id, 3, "wrong"),
                new AwardHeld(id, 2, "wrong"),
                new ActivityClosed(id),
                new ActivityOpened(id),
                new AwardHeld(id, 3, "wrong"))) {
            held = ActivityStateFold.heldAfter(event, held);
        }
        assertThat(held).containsExactly(2, 3);
        assertThat(ActivityStateFold.heldAfter(new HeldAwardReleased(id, 3, "right"), held))
                .containsExactly(2);
    }

    @Test
    @DisplayName("The state stays when a seed is published.")
    void stays() {
        SeedPublished published = new SeedPublished(new ActivityId(1), 1, "seed");
        assertThat(ActivityStateFold.after(published, ActivityState.CLOSED)).isEqualTo(ActivityState.CLOSED);
        assertThat(ActivityStateFold.after(published, ActivityState.DOING)).isEqualTo(ActivityState.DOING);
    }
}
