package lottery.saga.pool;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardEvent.AwardVoided;
import lottery.api.pool.PoolEvent;
import lottery.saga.command.SagaCommands;
import lottery.saga.pool.PoolSagaState.PoolSagaStep;
import lottery.store.clock.ClockAgreement;
import lottery.store.saga.SagaDueHandler;
import lottery.store.saga.SagaWithDueTime;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.modelling.saga.SagaEventHandler;
import org.axonframework.modelling.saga.StartSaga;
import org.axonframework.spring.stereotype.Saga;
import org.jspecify.annotations.Nullable;

/**
 * Closes, freezes and draws the pool of an activity, each step when it is due, and lets reserves move up. It decides
 * nothing. It sends commands, and the pool does what is due according to the log. The saga lives as long as the
 * activity. In another log than that of the pool, it only tells the pool which awards their winners do not get.
 */
@Saga
@ProcessingGroup("schedule")
public class PoolSaga implements SagaWithDueTime {

    private static final String ACTIVITY_ID = "activityId";

    private @Nullable PoolSagaState schedule;

    public PoolSaga() {}

    @Override
    public @Nullable Instant dueAt() {
        return schedule == null ? null : schedule.dueAt();
    }

    @Override
    public int attempts() {
        return schedule == null || schedule.dueAt() == null ? 0 : schedule.attempts();
    }

    @StartSaga
    @SagaEventHandler(associationProperty = ACTIVITY_ID)
    void on(ActivityCreated created) {
        if (schedule == null) {
            schedule = PoolSagaState.of(created.activityId(), created.definition());
        }
    }

    @SagaEventHandler(associationProperty = ACTIVITY_ID)
    void on(ActivityEvent event, InstantSource clock) {
        schedule = Objects.requireNonNull(schedule).after(event, clock.instant());
    }

    /**
     * Handles an event of the pool. If the next step is due, its command is sent at once, because a draw has many pages
     * and should not wait for a poll after each.
     */
    @SagaEventHandler(associationProperty = ACTIVITY_ID)
    void on(
            PoolEvent event,
            InstantSource clock,
            ClockAgreement agreement,
            SagaCommands sagaCommands,
            CommandGateway gateway,
            EntryReturns returns,
            PoolVacancies vacancies) {
        Instant now = clock.instant();
        schedule = Objects.requireNonNull(schedule).after(event, now);
        if (schedule.isDue(now) && agreement.isAgreed()) {
            act(now, sagaCommands, gateway, returns, vacancies);
        }
    }

    @StartSaga
    @SagaEventHandler(associationProperty = ACTIVITY_ID)
    void on(AwardForfeited forfeited, InstantSource clock) {
        schedule = of(forfeited.activityId()).vacated(forfeited.awardRecordId(), clock.instant());
    }

    @StartSaga
    @SagaEventHandler(associationProperty = ACTIVITY_ID)
    void on(AwardVoided voided, InstantSource clock) {
        schedule = of(voided.activityId()).vacated(voided.awardRecordId(), clock.instant());
    }

    private PoolSagaState of(ActivityId activityId) {
        return Objects.requireNonNullElseGet(schedule, () -> PoolSagaState.elsewhere(activityId));
    }

    /** Sends the command that is due. To give chances back, it sends the commands for one page of entries. */
    @SagaDueHandler
    void act(
            Instant now,
            SagaCommands sagaCommands,
            CommandGateway gateway,
            EntryReturns returns,
            PoolVacancies vacancies) {
        PoolSagaState due = Objects.requireNonNull(schedule);
        if (due.isElsewhere()) {
            due = due.leaving(vacancies.undecided(due.activityId(), due.vacated()));
            if (due.dueAt() == null) {
                schedule = due;
                return;
            }
        }
        if (due.step() == PoolSagaStep.RETURN) {
            schedule = returns.sendAfterCommit(due.activityId(), due.returnedUpTo(), sagaCommands, gateway)
                    ? due.asked(now)
                    : due.over();
            return;
        }
        due.commands().forEach(command -> sagaCommands.sendAfterCommit(command, gateway));
        schedule = due.asked(now);
    }
}
