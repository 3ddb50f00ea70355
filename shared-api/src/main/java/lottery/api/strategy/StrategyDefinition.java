package lottery.api.strategy;

import java.util.List;
import lottery.api.tree.TreeDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Awards, odds and rules as the operator defines them.
 *
 * @param ratesAddUpToOne whether the operator wants every draw to pick an award
 * @param fallback the award that a draw gives in place of one that is locked or sold out, for example; null if such a
 *     draw wins nothing
 * @param tree the decision tree that decides about a picked award; null for the usual tree. The usual tree checks the
 *     lock and then the stock, and gives the fallback if one of them prevents the win
 */
public record StrategyDefinition(
        Mode mode,
        List<AwardDefinition> awards,
        boolean ratesAddUpToOne,
        @Nullable Integer fallback,
        @Nullable Blacklist blacklist,
        TierMode tierMode,
        List<Tier> tiers,
        @Nullable TreeDefinition tree) {

    /** The rule for the odds of an award that is sold out. */
    public enum Mode {
        /** The other awards keep their odds, and the share of the sold-out award goes to the fallback. */
        SINGLE,
        /** The other awards share the odds of the sold-out award in proportion to their own odds. */
        OVERALL
    }

    /** How long a tier stays in force after a user has reached it. */
    public enum TierMode {
        /** The tier is in force until the next tier is reached. */
        FLOOR,
        /** The tier is in force only for the draw that reaches it. */
        EXACT
    }

    /** Creates a strategy of awards and odds, with no further rules. */
    public static StrategyDefinition of(Mode mode, List<AwardDefinition> awards, @Nullable Integer fallback) {
        return new StrategyDefinition(mode, awards, false, fallback, null, TierMode.FLOOR, List.of(), null);
    }

    public StrategyDefinition {
        awards = List.copyOf(awards);
        tiers = List.copyOf(tiers);
    }
}
