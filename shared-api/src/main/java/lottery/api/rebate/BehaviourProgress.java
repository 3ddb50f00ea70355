package lottery.api.rebate;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import lottery.api.UserId;
import lottery.api.rebate.BehaviourEvent.BehaviourReported;
import lottery.api.rebate.BehaviourEvent.RebateDropped;
import lottery.api.rebate.BehaviourEvent.RebateGiven;
import lottery.api.rebate.BehaviourEvent.RebateRefused;
import org.jspecify.annotations.Nullable;

/** A behaviour and the progress of its rebates, folded from its events. */
public record BehaviourProgress(
        BehaviourId behaviourId, UserId userId, String behaviour, String outBusinessNo, List<RebateProgress> rebates) {

    public BehaviourProgress {
        rebates = List.copyOf(rebates);
    }

    /** Returns the behaviour as it was reported. */
    public static BehaviourProgress of(BehaviourReported reported) {
        return new BehaviourProgress(
                reported.behaviourId(),
                reported.userId(),
                reported.behaviour(),
                reported.outBusinessNo(),
                reported.rebates().stream().map(RebateProgress::of).toList());
    }

    /** Returns the behaviour after an event; before the first event it is null. */
    public static BehaviourProgress evolve(@Nullable BehaviourProgress before, BehaviourEvent event) {
        return before == null ? of((BehaviourReported) event) : before.after(event);
    }

    public BehaviourProgress after(BehaviourEvent event) {
        return switch (event) {
            case BehaviourReported _ -> this;
            case RebateGiven given -> with(given.ruleId(), given.index(), RebateProgress::given);
            case RebateRefused refused ->
                with(refused.ruleId(), refused.index(), rebate -> rebate.refused(refused.reason()));
            case RebateDropped dropped -> with(dropped.ruleId(), dropped.index(), RebateProgress::dropped);
        };
    }

    private BehaviourProgress with(RebateRuleId rule, int index, UnaryOperator<RebateProgress> change) {
        List<RebateProgress> changed = rebates.stream()
                .map(rebate -> rebate.isOf(rule, index) ? change.apply(rebate) : rebate)
                .toList();
        return new BehaviourProgress(behaviourId, userId, behaviour, outBusinessNo, changed);
    }

    public Optional<RebateProgress> find(RebateRuleId rule, int index) {
        return rebates.stream().filter(rebate -> rebate.isOf(rule, index)).findFirst();
    }

    /** Returns the rebates that still have to be given. */
    public List<RebateProgress> ordered() {
        return rebates.stream()
                .filter(rebate -> rebate.state() == RebateState.ORDERED)
                .toList();
    }

    /** Returns whether nothing can happen to the behaviour any more. */
    public boolean isOver() {
        return ordered().isEmpty() && rebates.stream().noneMatch(RebateProgress::needsPerson);
    }
}
