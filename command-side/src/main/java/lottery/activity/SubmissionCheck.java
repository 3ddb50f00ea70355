package lottery.activity;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import lottery.api.Answer;
import lottery.api.Finding;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.strategy.StrategyId;
import lottery.rule.ActivityPreflight;
import lottery.rule.DrawRules;
import lottery.strategy.StrategyCache;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/** Checks whether an activity can be submitted. It reports all findings at once. */
@Component
class SubmissionCheck {

    private final Function<StrategyId, Optional<DrawRules>> strategies;

    @Autowired
    SubmissionCheck(StrategyCache strategies) {
        this((Function<StrategyId, Optional<DrawRules>>) strategies::find);
    }

    SubmissionCheck(Function<StrategyId, Optional<DrawRules>> strategies) {
        this.strategies = strategies;
    }

    Answer<ActivityProgress> check(ActivityProgress activity, Instant now) {
        StrategyId strategyId = activity.definition().strategyId();
        Optional<DrawRules> rules = strategies.apply(strategyId);
        List<Finding> findings = ActivityPreflight.findings(activity.definition(), rules, now);
        if (findings.isEmpty()) {
            return Answer.done(activity);
        }
        return Answer.no(
                rules.isPresent()
                        ? new Refused(
                                Refusal.ACTIVITY_DATES, activity.activityId().text(), findings)
                        : new Refused(Refusal.STRATEGY_INVALID, strategyId.text(), findings));
    }
}
