package lottery.rebate;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.rebate.BehaviourCommand.DropRebate;
import lottery.api.rebate.BehaviourCommand.GiveRebate;
import lottery.api.rebate.BehaviourCommand.ReportBehaviour;
import lottery.api.rebate.BehaviourEvent;
import lottery.api.rebate.BehaviourEvent.BehaviourReported;
import lottery.api.rebate.BehaviourEvent.RebateDropped;
import lottery.api.rebate.BehaviourEvent.RebateGiven;
import lottery.api.rebate.BehaviourEvent.RebateRefused;
import lottery.api.rebate.BehaviourProgress;
import lottery.api.rebate.RebateProgress;
import lottery.api.rebate.RebateRuleId;
import lottery.api.rebate.RebateState;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * A behaviour, which is something that a user has done, and its rebates. Its id can be used once, so that a behaviour
 * is rewarded once. A rebate is given in the same unit of work as its recharge or booking of credits.
 */
@Aggregate(type = "behaviour", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class Behaviour {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private @Nullable BehaviourProgress progress;

    Behaviour() {}

    Behaviour(BehaviourReported reported) {
        apply(reported);
    }

    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.ALWAYS)
    Answer<BehaviourProgress> handle(ReportBehaviour report, BehaviourRebateDecider reports) {
        apply(reports.report(report.userId(), report.behaviour(), report.outBusinessNo()));
        return Answer.done(progress());
    }

    /**
     * Gives a rebate, or notes why it is not given. A rebate that was given stays as it is. A rebate that was refused
     * is tried again only if a person asks for it.
     *
     * @throws RefusedException if the rebate is refused only for now, for example because the lottery is busy; then
     *     nothing is noted, and the rebate is tried again
     */
    @CommandHandler
    Answer<BehaviourProgress> handle(GiveRebate give, RebateBooker giving) {
        return find(give.ruleId(), give.index()).then(rebate -> {
            boolean isDue = rebate.state() == RebateState.ORDERED
                    || (give.isAgain() && rebate.state() == RebateState.REFUSED && rebate.needsPerson());
            if (isDue) {
                give(rebate, giving);
            }
            return Answer.done(progress());
        });
    }

    private void give(RebateProgress rebate, RebateBooker giving) {
        BehaviourProgress behaviour = progress();
        String businessNo = behaviour.behaviourId().businessNo(rebate.ruleId(), rebate.index());
        switch (giving.give(behaviour.userId(), rebate.rebate(), businessNo)) {
            case RebateBooker.RebateBooked(String reference) ->
                apply(new RebateGiven(
                        behaviour.behaviourId(), behaviour.userId(), rebate.ruleId(), rebate.index(), reference));
            case RebateBooker.RebateNotBooked(String reason) -> {
                if (!reason.equals(rebate.reason())) {
                    apply(new RebateRefused(
                            behaviour.behaviourId(), behaviour.userId(), rebate.ruleId(), rebate.index(), reason));
                }
            }
        }
    }

    /** Gives up a rebate that waits for a person. Any other rebate stays as it is. */
    @CommandHandler
    Answer<BehaviourProgress> handle(DropRebate drop) {
        return find(drop.ruleId(), drop.index()).then(rebate -> {
            if (rebate.needsPerson()) {
                apply(new RebateDropped(drop.behaviourId(), progress().userId(), rebate.ruleId(), rebate.index()));
            }
            return Answer.done(progress());
        });
    }

    private Answer<RebateProgress> find(RebateRuleId ruleId, int index) {
        return progress()
                .find(ruleId, index)
                .map(Answer::done)
                .orElseGet(() -> Answer.no(
                        new Refused(Refusal.NOT_FOUND, progress().behaviourId().businessNo(ruleId, index))));
    }

    @EventSourcingHandler
    void on(BehaviourEvent event) {
        id = event.behaviourId().text();
        progress = switch (event) {
            case BehaviourReported reported -> BehaviourProgress.of(reported);
            case RebateGiven _, RebateRefused _, RebateDropped _ -> progress().after(event);
        };
    }

    private BehaviourProgress progress() {
        if (progress == null) {
            throw new IllegalStateException("a behaviour begins with its report");
        }
        return progress;
    }
}
