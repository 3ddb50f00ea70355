package lottery.saga.recharge;

import java.time.Instant;
import java.util.Objects;
import lottery.api.account.RechargeCommand.CloseRecharge;
import lottery.api.account.RechargeEvent.RechargeClosed;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.saga.command.SagaCommands;
import lottery.store.saga.SagaDueHandler;
import lottery.store.saga.SagaWithDueTime;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.modelling.saga.EndSaga;
import org.axonframework.modelling.saga.SagaEventHandler;
import org.axonframework.modelling.saga.StartSaga;
import org.axonframework.spring.stereotype.Saga;
import org.jspecify.annotations.Nullable;

/**
 * Closes a recharge that is not paid in time, so that others can have the unit that was reserved for it. A recharge
 * that is paid at once has no saga, and its completion ends none.
 *
 * <p>It decides nothing: it repeats its command until an event ends the saga. If a payment comes before the close, the
 * event of the payment is on its way here, and ends the saga.
 */
@Saga
@ProcessingGroup("recharges")
public class UnpaidRechargeSaga implements SagaWithDueTime {

    private static final String RECHARGE_ID = "rechargeId";

    private @Nullable UnpaidRechargeSagaState unpaid;

    public UnpaidRechargeSaga() {}

    @Override
    public @Nullable Instant dueAt() {
        return unpaid == null ? null : unpaid.dueAt();
    }

    @Override
    public int attempts() {
        return unpaid == null ? 0 : unpaid.attempts();
    }

    @StartSaga
    @SagaEventHandler(associationProperty = RECHARGE_ID)
    void on(RechargeOrdered ordered) {
        if (unpaid == null) {
            unpaid = UnpaidRechargeSagaState.of(ordered);
        }
    }

    @EndSaga
    @SagaEventHandler(associationProperty = RECHARGE_ID)
    void on(RechargeCompleted completed) {}

    @EndSaga
    @SagaEventHandler(associationProperty = RECHARGE_ID)
    void on(RechargeClosed closed) {}

    @SagaDueHandler
    void close(Instant now, SagaCommands sagaCommands, CommandGateway gateway) {
        UnpaidRechargeSagaState late = Objects.requireNonNull(unpaid);
        if (late.isDue(now)) {
            sagaCommands.sendAfterCommit(new CloseRecharge(late.rechargeId()), gateway);
            unpaid = late.asked(now);
        }
    }
}
