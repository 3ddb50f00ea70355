package lottery.strategy;

import java.util.List;
import java.util.Optional;
import lottery.api.raffle.Outcome;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyId;

/** One version of a strategy, ready to draw from. Deciding is a pure function: whoever repeats it finds the same. */
public final class DrawRules {

    private final StrategyId strategyId;
    private final int version;
    private final StrategyDefinition definition;
    private final List<AwardDefinition> awards;
    private final Optional<AwardDefinition> fallback;
    private final Odds odds;

    private DrawRules(StrategyId strategyId, int version, StrategyDefinition definition) {
        this.strategyId = strategyId;
        this.version = version;
        this.definition = definition;
        this.awards = definition.awards();
        this.fallback = awards.stream()
                .filter(award -> Integer.valueOf(award.awardId()).equals(definition.fallback()))
                .findFirst();
        this.odds = Odds.of(awards.stream().map(AwardDefinition::rate).toList());
    }

    static DrawRules assemble(StrategyId strategyId, int version, StrategyDefinition definition) {
        return new DrawRules(strategyId, version, definition);
    }

    public StrategyId strategyId() {
        return strategyId;
    }

    public int version() {
        return version;
    }

    StrategyDefinition definition() {
        return definition;
    }

    /** Decides a draw of a user who has made so many draws on that day before this one. */
    public Decision decide(int drawsBeforeToday, Chance chance) {
        int picked = odds.pick(chance);
        if (picked == awards.size()) {
            return Decision.NOTHING;
        }
        AwardDefinition award = awards.get(picked);
        if (award.lockedUntilDraws() <= drawsBeforeToday) {
            return new Decision(Outcome.WON, award);
        }
        return fallback.map(lucky -> new Decision(Outcome.FALLBACK, lucky)).orElse(Decision.NOTHING);
    }
}
