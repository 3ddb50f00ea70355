package lottery.saga.activity;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import lottery.api.account.AccountCommand.CancelRaffleOrder;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.SeedPublished;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.saga.activity.OpenOrderTable.OpenOrder;
import lottery.saga.command.SagaCommands;
import lottery.store.saga.SagaDueHandler;
import lottery.store.saga.SagaWithDueTime;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.modelling.saga.EndSaga;
import org.axonframework.modelling.saga.SagaEventHandler;
import org.axonframework.modelling.saga.SagaLifecycle;
import org.axonframework.modelling.saga.StartSaga;
import org.axonframework.spring.stereotype.Saga;
import org.jspecify.annotations.Nullable;

/**
 * Cancels the orders that are open when their activity closes, so that their users get the chances back, and others the
 * participations. It waits until the seed of the round is published: no process treats the activity as open any more,
 * so nobody can make another order. An activity that is started again keeps its open orders.
 */
@Saga
@ProcessingGroup("schedule")
public class OpenOrderSaga implements SagaWithDueTime {

    private static final String ACTIVITY_ID = "activityId";

    /** As many commands as their places become free for, before the rest would be given up. */
    private static final int PAGE = 200;

    private @Nullable OpenOrderSagaState closed;

    public OpenOrderSaga() {}

    @Override
    public @Nullable Instant dueAt() {
        return closed == null ? null : closed.dueAt();
    }

    @Override
    public int attempts() {
        return closed == null ? 0 : closed.attempts();
    }

    @StartSaga
    @SagaEventHandler(associationProperty = ACTIVITY_ID)
    void on(ActivityClosed event) {
        if (closed == null) {
            closed = OpenOrderSagaState.of(event.activityId());
        }
    }

    @SagaEventHandler(associationProperty = ACTIVITY_ID)
    void on(SeedPublished published, InstantSource clock) {
        closed = Objects.requireNonNull(closed).dueAt(clock.instant());
    }

    @EndSaga
    @SagaEventHandler(associationProperty = ACTIVITY_ID)
    void on(ActivityStarted started) {}

    @SagaDueHandler
    void cancel(
            Instant now,
            SagaCommands sagaCommands,
            CommandGateway gateway,
            OpenOrderTable openOrders,
            RandomGenerator random) {
        OpenOrderSagaState due = Objects.requireNonNull(closed);
        List<OpenOrder> page = openOrders.find(due.activityId(), PAGE);
        if (page.isEmpty()) {
            SagaLifecycle.end();
            return;
        }
        for (OpenOrder open : page) {
            RaffleRequestIdentity request = RaffleRequestIdentity.fresh(open.accountId(), now, random);
            sagaCommands.sendAfterCommit(new CancelRaffleOrder(open.accountId(), open.orderId(), request), gateway);
        }
        closed = due.asked(page, now);
    }
}
