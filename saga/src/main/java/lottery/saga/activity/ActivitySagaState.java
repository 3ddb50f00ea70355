package lottery.saga.activity;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import lottery.api.activity.ActivityCommand;
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
import lottery.api.activity.ActivityEvent.ActivityRevoked;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityEvent.AwardHeld;
import lottery.api.activity.ActivityEvent.HeldAwardReleased;
import lottery.api.activity.ActivityEvent.SeedPublished;
import lottery.api.activity.ActivityEvent.StrategyAdopted;
import lottery.api.activity.ActivityId;
import lottery.saga.command.SagaCommands;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of an activity. An event ends a wait and begins the next one. A command that has had no effect is sent
 * again, with growing pauses.
 *
 * @param step the next step: the start or the close
 * @param secrets the rounds that are over but whose seeds are not published yet
 * @param attempts how often the commands that are due were sent without effect
 * @param openOrders what is done about open orders of a round that is over; null: nothing
 */
record ActivitySagaState(
        ActivityId activityId,
        Instant beginsAt,
        Instant endsAt,
        ActivitySagaStep step,
        int round,
        List<Secret> secrets,
        int attempts,
        @Nullable Instant notBefore,
        @Nullable OpenOrderSweep openOrders) {

    /**
     * How long the seed stays secret after the close, and open orders stay open. This is longer than any process may
     * still treat the closed activity as open. Therefore nobody can draw when the seed is known, and nobody can make
     * another order.
     */
    static final Duration SECRET_AFTER_CLOSE = Duration.ofSeconds(10);

    /** The time from the end of an activity to its close: at the end itself the activity is still open. */
    private static final Duration MOMENT = Duration.ofMillis(1);

    enum ActivitySagaStep {
        NOTHING,
        START,
        CLOSE
    }

    /** The seed of a round, which stays secret until a certain time. */
    record Secret(int round, Instant until) {}

    ActivitySagaState {
        secrets = List.copyOf(secrets);
    }

    static ActivitySagaState of(ActivityCreated created) {
        ActivityDefinition definition = created.definition();
        return new ActivitySagaState(
                created.activityId(),
                definition.beginsAt(),
                definition.endsAt(),
                ActivitySagaStep.NOTHING,
                0,
                List.of(),
                0,
                null,
                null);
    }

    /**
     * Returns the schedule after an event.
     *
     * @param now the time at which the event is handled, which is never before the event
     */
    ActivitySagaState after(ActivityEvent event, Instant now) {
        return switch (event) {
            case ActivityCreated _ -> this;
            case ActivityEdited(ActivityId _, ActivityDefinition definition) ->
                new ActivitySagaState(
                        activityId,
                        definition.beginsAt(),
                        definition.endsAt(),
                        step,
                        round,
                        secrets,
                        0,
                        null,
                        openOrders);
            case ActivitySubmitted _, ActivityRefused _, ActivityRevoked _ -> waiting(ActivitySagaStep.NOTHING);
            case ActivityPassed _, ActivityOpened _ -> waiting(ActivitySagaStep.START);
            // Orders that are still open can be drawn again.
            case ActivityStarted started -> in(ActivitySagaStep.CLOSE, started.round(), secrets, null);
            case ActivityClosed _ -> closed(now);
            case SeedPublished published -> without(published.round());
            // These events do not change the schedule: a paused activity, too, ends when its time comes.
            case StrategyAdopted _, ActivityPaused _, ActivityResumed _, AwardHeld _, HeldAwardReleased _ -> this;
        };
    }

    private ActivitySagaState waiting(ActivitySagaStep next) {
        return in(next, round, secrets, openOrders);
    }

    private ActivitySagaState in(
            ActivitySagaStep next, int round, List<Secret> secrets, @Nullable OpenOrderSweep openOrders) {
        return new ActivitySagaState(activityId, beginsAt, endsAt, next, round, secrets, 0, null, openOrders);
    }

    /** Ends the round. If an activity is closed without having been started, there is no round to end. */
    private ActivitySagaState closed(Instant now) {
        if (step != ActivitySagaStep.CLOSE) {
            return waiting(ActivitySagaStep.NOTHING);
        }
        Instant until = now.plus(SECRET_AFTER_CLOSE);
        List<Secret> more = Stream.concat(secrets.stream(), Stream.of(new Secret(round, until)))
                .toList();
        return in(ActivitySagaStep.NOTHING, round, more, OpenOrderSweep.from(until));
    }

    private ActivitySagaState without(int published) {
        List<Secret> rest =
                secrets.stream().filter(secret -> secret.round() != published).toList();
        return in(step, round, rest, openOrders);
    }

    /** Returns when the next step is due; null if nothing will happen by itself. */
    @Nullable
    Instant dueAt() {
        return Stream.concat(
                        commandsDueAt().stream(), Stream.ofNullable(openOrders).map(OpenOrderSweep::dueAt))
                .min(Instant::compareTo)
                .orElse(null);
    }

    private Optional<Instant> commandsDueAt() {
        return Stream.concat(secrets.stream().map(Secret::until), Stream.ofNullable(transitionAt()))
                .map(this::postponed)
                .min(Instant::compareTo);
    }

    boolean areCommandsDue(Instant now) {
        return commandsDueAt().filter(due -> !now.isBefore(due)).isPresent();
    }

    boolean areOpenOrdersDue(Instant now) {
        return openOrders != null && !now.isBefore(openOrders.dueAt());
    }

    /** Postpones a step that the last attempt has tried. The first attempt of a later step does not wait for it. */
    private Instant postponed(Instant due) {
        return notBefore != null
                        && due.isBefore(notBefore)
                        && !due.isAfter(notBefore.minus(SagaCommands.pauseAfter(attempts - 1)))
                ? notBefore
                : due;
    }

    private @Nullable Instant transitionAt() {
        return switch (step) {
            case NOTHING -> null;
            case START -> beginsAt;
            case CLOSE -> endsAt.plus(MOMENT);
        };
    }

    /** Returns the commands that are due now. */
    List<ActivityCommand> commands(Instant now) {
        List<ActivityCommand> commands = new ArrayList<>();
        switch (step) {
            case NOTHING -> {}
            case START -> {
                if (!now.isBefore(beginsAt) && !now.isAfter(endsAt)) {
                    commands.add(new StartActivity(activityId));
                }
            }
            case CLOSE -> {
                if (now.isAfter(endsAt)) {
                    commands.add(new CloseActivity(activityId));
                }
            }
        }
        secrets.stream()
                .filter(secret -> !now.isBefore(secret.until()))
                .forEach(secret -> commands.add(new PublishSeed(activityId, secret.round())));
        return commands;
    }

    /** Returns the schedule after the commands were sent. If a start is due only after the end, it is dropped. */
    ActivitySagaState asked(Instant now) {
        ActivitySagaStep next = step == ActivitySagaStep.START && now.isAfter(endsAt) ? ActivitySagaStep.NOTHING : step;
        Instant again = now.plus(SagaCommands.pauseAfter(attempts));
        return new ActivitySagaState(
                activityId, beginsAt, endsAt, next, round, secrets, attempts + 1, again, openOrders);
    }

    /** Returns the schedule after a page of open orders; null: no order is open any more. */
    ActivitySagaState swept(@Nullable OpenOrderSweep next) {
        return new ActivitySagaState(activityId, beginsAt, endsAt, step, round, secrets, attempts, notBefore, next);
    }

    /** Returns how often the saga has acted without effect. */
    int attemptsInVain() {
        return Math.max(attempts, openOrders == null ? 0 : openOrders.walks());
    }
}
