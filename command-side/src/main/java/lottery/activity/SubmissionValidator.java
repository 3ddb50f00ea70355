package lottery.activity;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.SubmissionFlaw;
import lottery.api.SubmissionFlaw.FlawKind;
import lottery.api.strategy.StrategyId;
import lottery.fairness.PublicRandomness;
import lottery.rule.ActivityPreflight;
import lottery.rule.CompiledStrategy;
import lottery.strategy.StrategyCache;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/** Checks whether an activity can be submitted. It reports all findings at once. */
@Component
class SubmissionValidator {

    private final Function<StrategyId, Optional<CompiledStrategy>> strategies;
    private final AudienceDefinitionValidator audiences;
    private final PublicRandomness beacon;

    @Autowired
    SubmissionValidator(StrategyCache strategies, AudienceDefinitionValidator audiences, PublicRandomness beacon) {
        this((Function<StrategyId, Optional<CompiledStrategy>>) strategies::find, audiences, beacon);
    }

    SubmissionValidator(
            Function<StrategyId, Optional<CompiledStrategy>> strategies,
            AudienceDefinitionValidator audiences,
            PublicRandomness beacon) {
        this.strategies = strategies;
        this.audiences = audiences;
        this.beacon = beacon;
    }

    Answer<ActivityProgress> check(ActivityProgress activity, Instant now) {
        StrategyId strategyId = activity.definition().strategyId();
        Optional<CompiledStrategy> rules = strategies.apply(strategyId);
        List<SubmissionFlaw> findings = new ArrayList<>(ActivityPreflight.findings(activity.definition(), rules, now));
        findings.addAll(ScheduledDrawValidator.unfit(activity, rules, beacon));
        boolean isAudienceAlone = findings.isEmpty();
        audiences.flaw(activity.activityId(), activity.definition()).ifPresent(findings::add);
        if (findings.isEmpty()) {
            return Answer.done(activity);
        }
        if (isAudienceAlone) {
            return Answer.no(
                    new Refused(Refusal.TREE_INVALID, findings.getFirst().subject(), findings));
        }
        boolean isOver = findings.stream().anyMatch(finding -> finding.flaw() == FlawKind.ENDS_IN_THE_PAST);
        return Answer.no(
                isOver && rules.isPresent()
                        ? new Refused(
                                Refusal.ACTIVITY_DATES, activity.activityId().text(), findings)
                        : new Refused(Refusal.STRATEGY_INVALID, strategyId.text(), findings));
    }
}
