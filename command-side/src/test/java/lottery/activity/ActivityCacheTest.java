package lottery.activity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityState;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EmbeddedEventStore;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.inmemory.InMemoryEventStorageEngine;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The events of these tests come from another process: this process has not handled them. */
@DisplayName("The cache of activities")
class ActivityCacheTest {

    private Instant now = ActivityFixture.BEGIN;
    private final EventStore log = EmbeddedEventStore.builder()
            .storageEngine(new InMemoryEventStorageEngine())
            .build();
    private final ActivityCache activities = new ActivityCache(log, () -> now = now.plusMillis(1));
    private int stored;

    private void store(List<ActivityEvent> history) {
        while (stored < history.size()) {
            log.publish(new GenericDomainEventMessage<>(
                    "activity", ActivityFixture.ID.text(), stored, history.get(stored)));
            stored++;
        }
    }

    private static Answer<DrawableActivity> refused(Refusal why) {
        return Answer.no(new Refused(why, ActivityFixture.ID.text()));
    }

    @Test
    @DisplayName("finds an activity that was created after somebody asked for it too early")
    void absence() {
        assertThat(activities.find(ActivityFixture.ID)).isInstanceOf(Answer.No.class);
        store(ActivityFixture.history(ActivityState.EDIT));
        assertThat(activities.find(ActivityFixture.ID)).isInstanceOf(Answer.Done.class);
    }

    @Test
    @DisplayName("does not refuse a draw because of a state from before the start of the activity")
    void started() {
        store(ActivityFixture.history(ActivityState.PASSED));
        assertThat(activities.findOpen(ActivityFixture.ID)).isInstanceOf(Answer.No.class);
        store(ActivityFixture.history(ActivityState.DOING));
        assertThat(activities.findOpen(ActivityFixture.ID)).isInstanceOf(Answer.Done.class);
    }

    @Test
    @DisplayName("refuses what the log refuses, too")
    void refused() {
        assertThat(activities.findOpen(ActivityFixture.ID)).isEqualTo(refused(Refusal.NOT_FOUND));
        store(ActivityFixture.history(ActivityState.PAUSED));
        assertThat(activities.findOpen(ActivityFixture.ID)).isEqualTo(refused(Refusal.ACTIVITY_PAUSED));
    }
}
