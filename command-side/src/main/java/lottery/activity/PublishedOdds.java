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
import lottery.rule.CompiledStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The public facts about an activity's draws: the odds, and the commitments of each round. If an activity is drawn at
 * one time, rates have no meaning. The odds of an award are then the ratio of its units to the entries of the pool.
 *
 * @param nothing the share of draws that pick no award, before tiers and locks; absent if the activity is drawn at one
 *     time
 */
record PublishedOdds(
        ActivityId activityId,
        ActivityState state,
        StrategyId strategyId,
        int strategyVersion,
        StrategyDefinition.Mode mode,
        List<PublishedRate> awards,
        @Nullable String nothing,
        List<RoundCommitment> rounds) {

    /**
     * The odds of an award.
     *
     * @param rate the share of draws that pick it; absent if the activity is drawn at one time
     * @param units how many entries of the pool win it; absent if each draw is decided at once
     * @param maxPerUser how often one user can win it; absent if there is no limit
     */
    record PublishedRate(
            int awardId,
            String title,
            AwardType type,
            @Nullable String rate,
            @Nullable Integer units,
            @Nullable Integer maxPerUser) {

        static PublishedRate of(AwardDefinition award, boolean isOfPool) {
            return new PublishedRate(
                    award.awardId(),
                    award.title(),
                    award.type(),
                    isOfPool ? null : plain(award.rate()),
                    isOfPool ? award.stock() : null,
                    award.maxPerUser());
        }
    }

    static PublishedOdds of(ActivityProgress activity, CompiledStrategy rules) {
        StrategyDefinition definition = rules.definition();
        boolean isOfPool = activity.definition().draw() != null;
        BigDecimal sum =
                definition.awards().stream().map(AwardDefinition::rate).reduce(BigDecimal.ZERO, BigDecimal::add);
        return new PublishedOdds(
                activity.activityId(),
                activity.state(),
                rules.strategyId(),
                rules.version(),
                definition.mode(),
                definition.awards().stream()
                        .map(award -> PublishedRate.of(award, isOfPool))
                        .toList(),
                isOfPool ? null : plain(BigDecimal.ONE.subtract(sum)),
                activity.commitments());
    }

    /** Writes a number in plain notation, never as 1E-7, so that no reader rounds it. */
    private static String plain(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }
}
