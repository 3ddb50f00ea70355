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
import lottery.rule.DrawRules;
import lottery.rule.Preflight;
import lottery.strategy.Strategies;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * What keeps an activity from being submitted. It is said all at once: whoever prepares a campaign is not sent back for
 * each flaw.
 */
@Component
class Readiness {

    private final Function<StrategyId, Optional<DrawRules>> strategies;

    @Autowired
    Readiness(Strategies strategies) {
        this((Function<StrategyId, Optional<DrawRules>>) strategies::find);
    }

    Readiness(Function<StrategyId, Optional<DrawRules>> strategies) {
        this.strategies = strategies;
    }

    Answer<Campaign> check(Campaign campaign, Instant now) {
        StrategyId strategyId = campaign.definition().strategyId();
        Optional<DrawRules> rules = strategies.apply(strategyId);
        List<Finding> findings = Preflight.findings(campaign.definition(), rules, now);
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
