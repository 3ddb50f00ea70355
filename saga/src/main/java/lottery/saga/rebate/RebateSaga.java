package lottery.saga.rebate;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import lottery.api.rebate.BehaviourEvent;
import lottery.api.rebate.BehaviourEvent.BehaviourReported;
import lottery.api.rebate.BehaviourEvent.RebateDropped;
import lottery.api.rebate.BehaviourEvent.RebateGiven;
import lottery.api.rebate.BehaviourEvent.RebateRefused;
import lottery.api.rebate.BehaviourProgress;
import lottery.api.rebate.RebateRuleId;
import lottery.saga.command.SagaCommands;
import lottery.store.saga.SagaDueHandler;
import lottery.store.saga.SagaWithDueTime;
import lottery.store.trace.TraceId;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.modelling.saga.SagaEventHandler;
import org.axonframework.modelling.saga.SagaLifecycle;
import org.axonframework.modelling.saga.StartSaga;
import org.axonframework.spring.stereotype.Saga;
import org.jspecify.annotations.Nullable;

/**
 * Sends the commands that give the rebates of a behaviour. It repeats each command until an event says that the rebate
 * was given or refused. It ends when no rebate can change any more. A refused rebate that a person has to look at waits
 * on the desk.
 *
 * <p>It decides nothing about rebates. The behaviour gives each rebate once, in the commit of its recharge or booking.
 * A behaviour that earns nothing has no saga.
 */
@Saga
@ProcessingGroup("rebates")
public class RebateSaga implements SagaWithDueTime {

    private static final String BEHAVIOUR_ID = "behaviourId";

    private @Nullable RebateSagaState rebates;

    /** The trace id of the request that reported the behaviour. */
    private @Nullable String traceId;

    public RebateSaga() {}

    @Override
    public @Nullable Instant dueAt() {
        return rebates == null ? null : rebates.dueAt();
    }

    @Override
    public int attempts() {
        return rebates == null || rebates.dueAt() == null ? 0 : rebates.attempts();
    }

    @StartSaga
    @SagaEventHandler(associationProperty = BEHAVIOUR_ID)
    void on(BehaviourReported reported, InstantSource clock, SagaCommands sagaCommands, CommandGateway gateway) {
        if (BehaviourProgress.of(reported).ordered().isEmpty()) {
            SagaLifecycle.end();
        } else if (rebates == null) {
            RebateSagaState begun = RebateSagaState.of(reported, clock.instant());
            rebates = begun;
            traceId = TraceId.current().map(TraceId::text).orElse(null);
            begun.commands().forEach(command -> sagaCommands.sendAfterCommit(command, gateway));
        }
    }

    @SagaEventHandler(associationProperty = BEHAVIOUR_ID)
    void on(BehaviourEvent event, InstantSource clock, RefusedRebateRecorder desk) {
        RebateSagaState next = Objects.requireNonNull(rebates).after(event);
        rebates = next;
        switch (event) {
            case BehaviourReported _ -> {}
            case RebateGiven given -> desk.over(given.behaviourId(), given.ruleId(), given.index());
            case RebateDropped dropped -> desk.over(dropped.behaviourId(), dropped.ruleId(), dropped.index());
            case RebateRefused refused -> tell(next.behaviour(), refused.ruleId(), refused.index(), clock, desk);
        }
        if (next.behaviour().isOver()) {
            SagaLifecycle.end();
        }
    }

    /** Adds a refused rebate to the desk if a person has to decide about it; otherwise removes it from the desk. */
    private static void tell(
            BehaviourProgress behaviour,
            RebateRuleId ruleId,
            int index,
            InstantSource clock,
            RefusedRebateRecorder desk) {
        behaviour.find(ruleId, index).ifPresent(rebate -> {
            if (rebate.needsPerson()) {
                desk.note(behaviour, rebate, clock.instant());
            } else {
                desk.over(behaviour.behaviourId(), ruleId, index);
            }
        });
    }

    @SagaDueHandler
    void askAgain(Instant now, SagaCommands sagaCommands, CommandGateway gateway) {
        RebateSagaState late = Objects.requireNonNull(rebates);
        if (!late.isDue()) {
            return;
        }
        try (var _ =
                TraceId.open(Optional.ofNullable(traceId).flatMap(TraceId::of).orElse(null))) {
            late.commands().forEach(command -> sagaCommands.sendAfterCommit(command, gateway));
        }
        rebates = late.asked(now);
    }
}
