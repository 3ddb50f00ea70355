package lottery.api.strategy;

import java.util.List;
import lottery.api.tree.TreeDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Awards, odds and rules as the operator describes them.
 *
 * @param ratesAddUpToOne whether the operator wants every draw to pick an award
 * @param fallback the award that is given in place of one that cannot be; none: the draw wins nothing then
 * @param tree what happens to an award after it was picked; null: lock, then stock, each with the fallback behind it
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

    /** What becomes of the odds of an award that is sold out. */
    public enum Mode {
        /** The others keep theirs, its share goes to the fallback. */
        SINGLE,
        /** The others share them in proportion to their own. */
        OVERALL
    }

    /** How long a tier that was reached holds. */
    public enum TierMode {
        /** Until the next one is reached. */
        FLOOR,
        /** For that one draw. */
        EXACT
    }

    /** Awards and odds, and nothing out of the ordinary. */
    public static StrategyDefinition of(Mode mode, List<AwardDefinition> awards, @Nullable Integer fallback) {
        return new StrategyDefinition(mode, awards, false, fallback, null, TierMode.FLOOR, List.of(), null);
    }

    public StrategyDefinition {
        awards = List.copyOf(awards);
        tiers = List.copyOf(tiers);
    }
}
