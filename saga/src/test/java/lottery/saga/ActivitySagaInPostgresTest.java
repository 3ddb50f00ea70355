package lottery.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import lottery.api.activity.ActivityCommand.CloseActivity;
import lottery.api.activity.ActivityCommand.PublishSeed;
import lottery.api.activity.ActivityCommand.StartActivity;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.strategy.StrategyId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestConstructor;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("The saga of an activity")
class ActivitySagaInPostgresTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** Is so far in the future that nothing is due by accident, and near enough for the database. */
    private static final Instant BEGIN = Instant.parse("2050-01-01T00:00:00Z");

    private static final Instant END = BEGIN.plus(Duration.ofHours(1));
    private static final AtomicLong IDS = new AtomicLong(700);

    private final Activities activities;
    private final TestClock clock;
    private final JdbcClient database;
    private final ActivityId id = new ActivityId(IDS.incrementAndGet());

    ActivitySagaInPostgresTest(Activities activities, TestClock clock, JdbcClient database) {
        this.activities = activities;
        this.clock = clock;
        this.database = database;
    }

    @AfterEach
    void today() {
        clock.reset();
        database.sql("DELETE FROM saga WHERE type = 'activity'").update();
    }

    private void create() {
        activities.create(new ActivityCreated(
                id,
                new ActivityDefinition(
                        "Spring", null, BEGIN, END, ZoneOffset.UTC, new StrategyId(7), null, null, null, List.of())));
    }

    private void awaitDue(Instant dueAt) {
        await("due at " + dueAt)
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(
                                database.sql("SELECT due_at FROM saga WHERE type = 'activity' AND association = ?"
                                                + " AND due_at IS NOT NULL")
                                        .param(id.text())
                                        .query((row, i) -> row.getTimestamp(1).toInstant())
                                        .optional())
                        .contains(dueAt));
    }

    private void awaitNothingDue() {
        await("nothing due")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(
                                database.sql("SELECT count(*) FROM saga WHERE type = 'activity' AND association = ?"
                                                + " AND due_at IS NULL")
                                        .param(id.text())
                                        .query(Integer.class)
                                        .single())
                        .isEqualTo(1));
    }

    private void awaitState(ActivityState state) {
        await(state.name()).atMost(LIMIT).until(() -> activities.stateOf(id) == state);
    }

    @Test
    @DisplayName(
            "An activity starts at its begin and closes after its end, and then its seed is published, all by itself.")
    void wholeLife() {
        create();
        activities.happens(new ActivityPassed(id, 1, "hash of 1"), ActivityState.PASSED);
        awaitDue(BEGIN);
        assertThat(activities.receivedFor(id)).isEmpty();

        clock.set(BEGIN);
        awaitState(ActivityState.DOING);
        awaitDue(END.plusMillis(1));

        clock.set(END.plusMillis(1));
        awaitState(ActivityState.CLOSED);
        await("the seed")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(activities.receivedFor(id)).contains(new PublishSeed(id, 1)));
        assertThat(clock.instant()).isAfterOrEqualTo(END.plusSeconds(10));
        awaitNothingDue();
        assertThat(activities.receivedFor(id))
                .containsExactly(new StartActivity(id), new CloseActivity(id), new PublishSeed(id, 1));
    }

    @Test
    @DisplayName("A command that fails is repeated until it succeeds.")
    void again() {
        activities.fail(id, 2);
        create();
        activities.happens(new ActivityPassed(id, 1, "hash of 1"), ActivityState.PASSED);
        awaitDue(BEGIN);
        clock.set(BEGIN);
        awaitState(ActivityState.DOING);
        assertThat(activities.receivedFor(id)).hasSize(3).containsOnly(new StartActivity(id));
        awaitDue(END.plusMillis(1));
    }

    @Test
    @DisplayName("An activity that an operator has started and closed is left alone, except for its seed.")
    void byHand() {
        create();
        activities.happens(new ActivityPassed(id, 1, "hash of 1"), ActivityState.PASSED);
        activities.happens(new ActivityStarted(id, 1, "commitment", "k1:sealed", "bound to 1"), ActivityState.DOING);
        awaitDue(END.plusMillis(1));
        activities.happens(new ActivityClosed(id), ActivityState.CLOSED);
        await("the seed")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(activities.receivedFor(id)).containsExactly(new PublishSeed(id, 1)));
        awaitNothingDue();
    }
}
