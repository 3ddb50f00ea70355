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

/**
 * What keeps an activity from being submitted. It is said all at once: whoever prepares a campaign is not sent back for
 * each flaw.
 */
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

    Answer<ActivityProgress> check(ActivityProgress campaign, Instant now) {
        StrategyId strategyId = campaign.definition().strategyId();
        Optional<DrawRules> rules = strategies.apply(strategyId);
        List<Finding> findings = ActivityPreflight.findings(campaign.definition(), rules, now);
        if (findings.isEmpty()) {
            return Answer.done(campaign);
        }
        return Answer.no(
                rules.isPresent()
                        ? new Refused(
                                Refusal.ACTIVITY_DATES, campaign.activityId().text(), findings)
                        : new Refused(Refusal.STRATEGY_INVALID, strategyId.text(), findings));
    }
}
