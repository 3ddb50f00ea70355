package lottery.activity;

import java.math.BigDecimal;
import java.util.List;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.activity.RoundCommitment;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyId;
import lottery.rule.DrawRules;
import org.jspecify.annotations.Nullable;

/**
 * The public facts about an activity's draws: the odds, and the commitments of each round.
 *
 * @param nothing the share of draws that pick no award, before tiers and locks
 */
record PublishedOdds(
        ActivityId activityId,
        ActivityState state,
        StrategyId strategyId,
        int strategyVersion,
        StrategyDefinition.Mode mode,
        List<PublishedRate> awards,
        String nothing,
        List<RoundCommitment> rounds) {

    /** @param maxPerUser how often one user can win it; none: no limit */
    record PublishedRate(
            int awardId,
            String title,
            AwardType type,
            String rate,
            @Nullable Integer maxPerUser) {

        static PublishedRate of(AwardDefinition award) {
            return new PublishedRate(
                    award.awardId(), award.title(), award.type(), plain(award.rate()), award.maxPerUser());
        }
    }

    static PublishedOdds of(ActivityProgress activity, DrawRules rules) {
        StrategyDefinition definition = rules.definition();
        BigDecimal sum =
                definition.awards().stream().map(AwardDefinition::rate).reduce(BigDecimal.ZERO, BigDecimal::add);
        return new PublishedOdds(
                activity.activityId(),
                activity.state(),
                rules.strategyId(),
                rules.version(),
                definition.mode(),
                definition.awards().stream().map(PublishedRate::of).toList(),
                plain(BigDecimal.ONE.subtract(sum)),
                activity.commitments());
    }

    /** Writes a number in plain notation, never as 1E-7, so that no reader rounds it. */
    private static String plain(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }
}
