package lottery.activity;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.activity.ActivityId;
import lottery.api.strategy.StrategyId;
import lottery.rule.CompiledStrategy;
import lottery.strategy.StrategyCache;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Serves the published odds over REST. They come from the command side, because the draws use the same rules. */
@RestController
@Tag(name = "Odds", description = "The odds that an activity publishes.")
class PublishedOddsEndpoint {

    private final ActivityCache activities;
    private final StrategyCache strategies;

    PublishedOddsEndpoint(ActivityCache activities, StrategyCache strategies) {
        this.activities = activities;
        this.strategies = strategies;
    }

    @Operation(summary = "Show the published odds", description = """
                    Returns the exact odds of the activity's current draws, and the commitment to the secret seed of
                    each round. The seed of a round is published ten seconds after the activity is closed; then
                    everybody can verify the draws of the round. An activity that is drawn at one time has no rates: it
                    publishes how many units of each award its pool can win.""")
    @GetMapping("/api/v1/activities/{activityId}/odds")
    PublishedOdds getOdds(@PathVariable ActivityId activityId) {
        ActivityProgress activity = activities.find(activityId).orThrow();
        StrategyId strategyId = activity.definition().strategyId();
        CompiledStrategy rules = activity.rulesIn(strategies)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, strategyId.text()));
        return PublishedOdds.of(activity, rules);
    }
}
