package lottery.api.strategy;

import java.util.List;
import lottery.api.tree.TreeDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Awards, odds and rules as the operator defines them.
 *
 * @param ratesAddUpToOne whether the operator wants every draw to pick an award
 * @param fallback the award in place of one that cannot be given; none: such a draw wins nothing
 * @param tree the decisions after an award was picked; null: lock, then stock, each with the fallback behind it
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

    /** The use of the odds of an award that is sold out. */
    public enum Mode {
        /** The others keep theirs, and its share goes to the fallback. */
        SINGLE,
        /** The others share them in proportion to their own. */
        OVERALL
    }

    /** How long a tier that was reached holds. */
    public enum TierMode {
        /** It holds until the next one is reached. */
        FLOOR,
        /** It holds for that one draw. */
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
