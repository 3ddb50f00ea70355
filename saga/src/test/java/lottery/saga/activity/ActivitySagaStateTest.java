package lottery.saga.activity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import lottery.api.activity.ActivityCommand.CloseActivity;
import lottery.api.activity.ActivityCommand.PublishSeed;
import lottery.api.activity.ActivityCommand.StartActivity;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityEvent.ActivityOpened;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityPaused;
import lottery.api.activity.ActivityEvent.ActivityRefused;
import lottery.api.activity.ActivityEvent.ActivityResumed;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityEvent.SeedPublished;
import lottery.api.activity.ActivityId;
import lottery.api.strategy.StrategyId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The schedule of an activity")
class ActivitySagaStateTest {

    private static final ActivityId ID = new ActivityId(100);
    private static final Instant BEGIN = Instant.parse("2026-11-21T04:00:00Z");
    private static final Instant END = BEGIN.plus(Duration.ofHours(1));
    private static final Instant EARLY = BEGIN.minus(Duration.ofDays(1));
    private static final Instant LATE = END.plus(Duration.ofDays(1));

    private static ActivityDefinition definition(Instant begin, Instant end) {
        return new ActivityDefinition(
                "Spring", null, begin, end, ZoneOffset.UTC, new StrategyId(7), null, null, null, List.of());
    }

    private static ActivitySagaState plan(Instant now, ActivityEvent... events) {
        ActivitySagaState plan = ActivitySagaState.of(new ActivityCreated(ID, definition(BEGIN, END)));
        for (ActivityEvent event : events) {
            plan = plan.after(event, now);
        }
        return plan;
    }

    private static ActivityStarted started(int round) {
        return new ActivityStarted(ID, round, "commitment", "k1:sealed", "bound to 1");
    }

    @Nested
    @DisplayName("The start")
    class ToStart {

        @Test
        @DisplayName("The start is due at the begin of an activity that was passed or opened, and never before.")
        void atItsBegin() {
            for (ActivitySagaState plan : List.of(
                    plan(EARLY, new ActivitySubmitted(ID), new ActivityPassed(ID, 1, "hash of 1")),
                    plan(EARLY, new ActivityClosed(ID), new ActivityOpened(ID)))) {
                assertThat(plan.dueAt()).isEqualTo(BEGIN);
                assertThat(plan.commands(BEGIN.minusNanos(1))).isEmpty();
                assertThat(plan.commands(BEGIN)).containsExactly(new StartActivity(ID));
                assertThat(plan.commands(END)).containsExactly(new StartActivity(ID));
            }
        }

        @Test
        @DisplayName("The start is dropped when the end has passed.")
        void tooLate() {
            ActivitySagaState plan = plan(LATE, new ActivityPassed(ID, 1, "hash of 1"));
            assertThat(plan.commands(END.plusNanos(1))).isEmpty();
            assertThat(plan.asked(LATE).dueAt()).isNull();
        }

        @Test
        @DisplayName("The start is not due in any other state.")
        void otherwise() {
            assertThat(plan(EARLY).dueAt()).isNull();
            assertThat(plan(EARLY, new ActivitySubmitted(ID)).dueAt()).isNull();
            assertThat(plan(EARLY, new ActivityPassed(ID, 1, "hash of 1"), new ActivityRefused(ID))
                            .dueAt())
                    .isNull();
            assertThat(plan(EARLY, new ActivityPassed(ID, 1, "hash of 1"), new ActivityClosed(ID))
                            .dueAt())
                    .isNull();
        }

        @Test
        @DisplayName("The start follows the dates of the last edit.")
        void edited() {
            ActivitySagaState plan = plan(
                    EARLY, new ActivityEdited(ID, definition(EARLY, LATE)), new ActivityPassed(ID, 1, "hash of 1"));
            assertThat(plan.dueAt()).isEqualTo(EARLY);
            assertThat(plan.after(started(1), EARLY).commands(END.plusSeconds(1)))
                    .isEmpty();
        }
    }

    @Nested
    @DisplayName("The close")
    class ToClose {

        private final ActivitySagaState running = plan(BEGIN, new ActivityPassed(ID, 1, "hash of 1"), started(1));

        @Test
        @DisplayName("The close is due just after the end, in which draws are still allowed.")
        void afterItsEnd() {
            assertThat(running.dueAt()).isAfter(END).isBefore(END.plusSeconds(1));
            assertThat(running.commands(END)).isEmpty();
            assertThat(running.commands(END.plusNanos(1))).containsExactly(new CloseActivity(ID));
        }

        @Test
        @DisplayName("A paused activity is closed at its end, too, and its seed is published afterwards.")
        void paused() {
            ActivitySagaState paused = running.after(new ActivityPaused(ID), BEGIN);
            assertThat(paused.commands(END.plusNanos(1))).containsExactly(new CloseActivity(ID));
            assertThat(paused.after(new ActivityResumed(ID), BEGIN).commands(END.plusNanos(1)))
                    .containsExactly(new CloseActivity(ID));
            assertThat(paused.after(new ActivityClosed(ID), END).commands(LATE))
                    .containsExactly(new PublishSeed(ID, 1));
        }

        @Test
        @DisplayName("The close is dropped when the activity was closed already.")
        void closed() {
            assertThat(running.after(new ActivityClosed(ID), BEGIN).commands(LATE))
                    .doesNotContain(new CloseActivity(ID));
        }
    }

    @Nested
    @DisplayName("The publication of a seed")
    class ToPublish {

        private final ActivitySagaState closed =
                plan(BEGIN, new ActivityPassed(ID, 1, "hash of 1"), started(1), new ActivityClosed(ID));
        private final Instant published = BEGIN.plusSeconds(10);

        @Test
        @DisplayName("The publication is due ten seconds after the close is handled, and dropped when it is done.")
        void tenSecondsLater() {
            assertThat(closed.dueAt()).isEqualTo(published);
            assertThat(closed.commands(published.minusNanos(1))).isEmpty();
            assertThat(closed.commands(published)).containsExactly(new PublishSeed(ID, 1));
            assertThat(closed.after(new SeedPublished(ID, 1, "seed"), published).commands(published))
                    .isEmpty();
        }

        @Test
        @DisplayName("There is no publication for an activity that never started.")
        void neverStarted() {
            assertThat(plan(BEGIN, new ActivityClosed(ID)).dueAt()).isNull();
            assertThat(plan(BEGIN, new ActivityPassed(ID, 1, "hash of 1"), new ActivityClosed(ID))
                            .dueAt())
                    .isNull();
        }

        @Test
        @DisplayName("The publication survives further rounds.")
        void rounds() {
            ActivitySagaState again = closed.after(new ActivityOpened(ID), BEGIN)
                    .after(started(2), BEGIN)
                    .after(new ActivityClosed(ID), BEGIN.plusSeconds(5));
            assertThat(again.commands(published)).containsExactly(new PublishSeed(ID, 1));
            assertThat(again.commands(BEGIN.plusSeconds(15)))
                    .containsExactly(new PublishSeed(ID, 1), new PublishSeed(ID, 2));
            ActivitySagaState first = again.after(new SeedPublished(ID, 1, "seed"), published);
            assertThat(first.dueAt()).isEqualTo(BEGIN.plusSeconds(15));
        }

        @Test
        @DisplayName("A seed that cannot be published does not delay the close of the next round.")
        void vainAttempts() {
            ActivitySagaState again =
                    closed.after(new ActivityOpened(ID), published).after(started(2), published);
            for (int i = 0; i < 6; i++) {
                again = again.asked(END.minusSeconds(30 - i));
            }
            assertThat(again.dueAt()).isEqualTo(END.plusMillis(1));
            assertThat(again.asked(END.plusMillis(1)).dueAt())
                    .isEqualTo(END.plusMillis(1).plusSeconds(60));
        }
    }

    @Nested
    @DisplayName("Open orders")
    class OpenOrders {

        private final ActivitySagaState closed = plan(
                        BEGIN, new ActivityPassed(ID, 1, "hash of 1"), started(1), new ActivityClosed(ID))
                .after(new SeedPublished(ID, 1, "seed"), BEGIN);
        private final Instant due = BEGIN.plusSeconds(10);

        @Test
        @DisplayName("are cancelled ten seconds after the close is handled, and then nothing is due.")
        void tenSecondsLater() {
            assertThat(closed.dueAt()).isEqualTo(due);
            assertThat(closed.areOpenOrdersDue(due.minusNanos(1))).isFalse();
            assertThat(closed.areOpenOrdersDue(due)).isTrue();
            assertThat(closed.areCommandsDue(due)).isFalse();
            assertThat(closed.swept(null).dueAt()).isNull();
        }

        @Test
        @DisplayName("stay open when the activity is started again, and wait for its next close.")
        void startedAgain() {
            ActivitySagaState again =
                    closed.after(new ActivityOpened(ID), BEGIN).after(started(2), BEGIN);
            assertThat(again.openOrders()).isNull();
            Instant later = BEGIN.plusSeconds(9);
            assertThat(again.after(new ActivityClosed(ID), later).openOrders())
                    .isEqualTo(OpenOrderSweep.from(later.plusSeconds(10)));
        }

        @Test
        @DisplayName("are walked over page by page, and from the beginning again with growing pauses.")
        void walks() {
            OpenOrderSweep page = OpenOrderSweep.from(due).waiting(4711, due).goOn("bob", due);
            assertThat(page).isEqualTo(new OpenOrderSweep(due, 4711L, "bob", true, 0));
            OpenOrderSweep second = page.again(4712, due);
            assertThat(second).isEqualTo(new OpenOrderSweep(due.plusSeconds(2), 4712L, "", false, 1));
            assertThat(second.again(4713, due)).isEqualTo(new OpenOrderSweep(due.plusSeconds(4), 4713L, "", false, 2));
            assertThat(closed.swept(second).attemptsInVain()).isEqualTo(1);
        }

        @Test
        @DisplayName("do not keep the seed back, and the seed does not keep them back.")
        void besideTheSeed() {
            ActivitySagaState both =
                    plan(BEGIN, new ActivityPassed(ID, 1, "hash of 1"), started(1), new ActivityClosed(ID));
            assertThat(both.areCommandsDue(due)).isTrue();
            ActivitySagaState asked = both.asked(due);
            assertThat(asked.areCommandsDue(due)).isFalse();
            assertThat(asked.areOpenOrdersDue(due)).isTrue();
            ActivitySagaState swept = both.swept(OpenOrderSweep.from(due).goOn("bob", due));
            assertThat(swept.areCommandsDue(due)).isTrue();
        }
    }

    @Test
    @DisplayName("A command is repeated until it has an effect, with growing pauses of a minute at most.")
    void again() {
        ActivitySagaState plan = plan(EARLY, new ActivityPassed(ID, 1, "hash of 1"));
        Instant now = BEGIN;
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            assertThat(plan.commands(now)).containsExactly(new StartActivity(ID));
            plan = plan.asked(now);
            Instant next = Objects.requireNonNull(plan.dueAt());
            pauses.add(Duration.between(now, next).toSeconds());
            now = next;
        }
        assertThat(pauses).containsExactly(2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
        assertThat(plan.after(started(1), now).dueAt()).isAfter(END);
    }
}
