package lottery.saga.activity;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.saga.command.SagaCommands;
import lottery.store.saga.SagaDueHandler;
import lottery.store.saga.SagaWithDueTime;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.modelling.saga.SagaEventHandler;
import org.axonframework.modelling.saga.StartSaga;
import org.axonframework.spring.stereotype.Saga;
import org.jspecify.annotations.Nullable;

/**
 * Starts an activity at its begin, closes it after its end, and some time after the close publishes its seed and
 * cancels its open orders. The saga lives as long as the activity, because a closed activity can be opened again.
 *
 * <p>It decides nothing: it only sends commands. The activity refuses a command if somebody else has already made the
 * change. In that case the event of that change is on its way here, and ends the wait.
 */
@Saga
@ProcessingGroup("schedule")
public class ActivitySaga implements SagaWithDueTime {

    private static final String ACTIVITY_ID = "activityId";

    private @Nullable ActivitySagaState plan;

    public ActivitySaga() {}

    @Override
    public @Nullable Instant dueAt() {
        return plan == null ? null : plan.dueAt();
    }

    @Override
    public int attempts() {
        return plan == null || plan.dueAt() == null ? 0 : plan.attemptsInVain();
    }

    @StartSaga
    @SagaEventHandler(associationProperty = ACTIVITY_ID)
    void on(ActivityCreated created) {
        if (plan == null) {
            plan = ActivitySagaState.of(created);
        }
    }

    @SagaEventHandler(associationProperty = ACTIVITY_ID)
    void on(ActivityEvent event, InstantSource clock) {
        plan = Objects.requireNonNull(plan).after(event, clock.instant());
    }

    /** Acts if something is due. If nothing is, an operator wants another attempt at all that waits. */
    @SagaDueHandler
    void act(Instant now, SagaCommands sagaCommands, CommandGateway gateway, OpenOrderCanceller canceller) {
        ActivitySagaState due = Objects.requireNonNull(plan);
        boolean isRetry = !due.areCommandsDue(now) && !due.areOpenOrdersDue(now);
        if (due.areCommandsDue(now) || isRetry) {
            // They come before the cancellations, of which only so many are sent at once.
            due.commands(now).forEach(command -> sagaCommands.sendAfterCommit(command, gateway));
            plan = due.asked(now);
        }
        OpenOrderSweep openOrders = due.openOrders();
        if (openOrders != null && (due.areOpenOrdersDue(now) || isRetry)) {
            plan = Objects.requireNonNull(plan)
                    .swept(canceller.cancel(due.activityId(), openOrders, now, sagaCommands, gateway));
        }
    }
}
