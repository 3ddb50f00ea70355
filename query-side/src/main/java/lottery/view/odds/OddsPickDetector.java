package lottery.view.odds;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import lottery.api.UserId;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.Blacklist;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.api.strategy.StrategyDefinition.TierMode;
import lottery.api.strategy.Tier;

/**
 * Finds what a draw tells about the odds that a version of a strategy promises.
 *
 * <p>The event of a draw does not store which award was picked before the tree decided. With the usual tree this
 * follows from the outcome, because an award that is unlocked and not sold out is won whenever it is picked. So a draw
 * from the whole table shows for each available award whether it was picked.
 *
 * <p>For a locked or sold-out award the draw shows nothing, because the draw gives the fallback whichever of these
 * awards was picked. If there is no fallback, or if it is held or over the budget, the outcome "nothing" may hide a
 * picked award, too. If sold-out awards change the odds of the others, only draws at which no award was sold out are
 * compared.
 */
final class OddsPickDetector {

    static final int NOTHING = 0;

    private final StrategyDefinition definition;
    private final Set<UserId> blacklisted;
    private final Set<Integer> tiers = new HashSet<>();
    private final int firstTier;
    private final int highestLock;

    OddsPickDetector(StrategyDefinition definition) {
        this.definition = definition;
        Blacklist blacklist = definition.blacklist();
        this.blacklisted = blacklist == null ? Set.of() : Set.copyOf(blacklist.users());
        definition.tiers().forEach(tier -> tiers.add(tier.from()));
        this.firstTier = definition.tiers().stream().mapToInt(Tier::from).min().orElse(Integer.MAX_VALUE);
        this.highestLock = definition.awards().stream()
                .mapToInt(AwardDefinition::lockedUntilDraws)
                .max()
                .orElse(0);
    }

    /**
     * Returns whether the draw has picked an award, for each award that the draw tells something about. The map is
     * empty if the draw cannot be compared.
     */
    Map<Integer, Boolean> picks(RaffleDrawn drawn) {
        Map<Integer, Boolean> picks = new HashMap<>();
        if (isComparable(drawn)) {
            Integer won = drawn.outcome() == Outcome.WON && drawn.award() != null
                    ? Integer.valueOf(drawn.award().awardId())
                    : null;
            for (AwardDefinition award : definition.awards()) {
                if (award.lockedUntilDraws() <= drawn.drawsBeforeToday()
                        && !drawn.unavailable().contains(award.awardId())) {
                    picks.put(award.awardId(), won != null && won == award.awardId());
                }
            }
            if (isNothingSure(drawn)) {
                picks.put(NOTHING, drawn.outcome() == Outcome.NOTHING);
            }
        }
        return picks;
    }

    private boolean isComparable(RaffleDrawn drawn) {
        return definition.tree() == null
                && (definition.mode() == Mode.SINGLE || drawn.unavailable().isEmpty())
                && !blacklisted.contains(drawn.userId())
                && !isOfTier(drawn.drawsBefore() + 1);
    }

    private boolean isNothingSure(RaffleDrawn drawn) {
        Integer fallback = definition.fallback();
        boolean isFallbackGiven = fallback != null && !drawn.unavailable().contains(fallback);
        return isFallbackGiven
                || (highestLock <= drawn.drawsBeforeToday()
                        && drawn.unavailable().isEmpty());
    }

    private boolean isOfTier(int draw) {
        return definition.tierMode() == TierMode.EXACT ? tiers.contains(draw) : draw >= firstTier;
    }

    /** Returns the awards in the order of the definition. */
    List<AwardDefinition> awards() {
        return new ArrayList<>(definition.awards());
    }

    BigDecimal nothing() {
        return definition.awards().stream().map(AwardDefinition::rate).reduce(BigDecimal.ONE, BigDecimal::subtract);
    }
}
