package lottery.saga.rebate;

import java.time.Instant;
import java.util.List;
import lottery.api.rebate.BehaviourCommand.GiveRebate;
import lottery.api.rebate.BehaviourEvent;
import lottery.api.rebate.BehaviourEvent.BehaviourReported;
import lottery.api.rebate.BehaviourProgress;
import lottery.saga.command.SagaCommands;
import org.jspecify.annotations.Nullable;

/**
 * The rebates of a behaviour that are not decided yet.
 *
 * @param dueAt when the ordered rebates are asked for again; null if all are given, or wait for a person
 * @param attempts how often the ordered rebates were asked for without effect
 */
record RebateSagaState(
        BehaviourProgress behaviour, @Nullable Instant dueAt, int attempts) {

    static RebateSagaState of(BehaviourReported reported, Instant now) {
        return new RebateSagaState(BehaviourProgress.of(reported), null, 0).asked(now);
    }

    RebateSagaState after(BehaviourEvent event) {
        BehaviourProgress next = behaviour.after(event);
        return new RebateSagaState(next, next.ordered().isEmpty() ? null : dueAt, attempts);
    }

    /**
     * Returns the commands for all rebates that are ordered. If a rebate was decided in the meantime, its command
     * changes nothing.
     */
    List<GiveRebate> commands() {
        return behaviour.ordered().stream()
                .map(rebate -> new GiveRebate(behaviour.behaviourId(), rebate.ruleId(), rebate.index(), false))
                .toList();
    }

    /**
     * Returns whether there are still rebates to ask for. The due time is not compared with the current time, because
     * an operator can request them early.
     */
    boolean isDue() {
        return dueAt != null;
    }

    RebateSagaState asked(Instant now) {
        return new RebateSagaState(behaviour, now.plus(SagaCommands.pauseAfter(attempts)), attempts + 1);
    }
}
