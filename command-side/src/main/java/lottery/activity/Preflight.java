package lottery.activity;

import static lottery.api.Finding.Flaw.ENDS_IN_THE_PAST;
import static lottery.api.Finding.Flaw.STRATEGY_UNKNOWN;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import lottery.api.Answer;
import lottery.api.Finding;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.strategy.StrategyId;
import lottery.strategy.Strategies;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * What keeps an activity from being submitted. It is said all at once: whoever prepares a campaign is not sent back for
 * each flaw.
 */
@Component
class Preflight {

    private final Predicate<StrategyId> isKnown;

    @Autowired
    Preflight(Strategies strategies) {
        this(strategyId -> strategies.find(strategyId).isPresent());
    }

    Preflight(Predicate<StrategyId> isKnown) {
        this.isKnown = isKnown;
    }

    Answer<Campaign> check(Campaign campaign, Instant now) {
        StrategyId strategyId = campaign.definition().strategyId();
        List<Finding> findings = new ArrayList<>();
        if (!isKnown.test(strategyId)) {
            findings.add(new Finding("/strategyId", STRATEGY_UNKNOWN));
        }
        boolean canBeDrawnFrom = findings.isEmpty();
        if (now.isAfter(campaign.definition().endsAt())) {
            findings.add(new Finding("/endsAt", ENDS_IN_THE_PAST));
        }
        if (findings.isEmpty()) {
            return Answer.done(campaign);
        }
        return Answer.no(
                canBeDrawnFrom
                        ? new Refused(
                                Refusal.ACTIVITY_DATES, campaign.activityId().text(), findings)
                        : new Refused(Refusal.STRATEGY_INVALID, strategyId.text(), findings));
    }
}
