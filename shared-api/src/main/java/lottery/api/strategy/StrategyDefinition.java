package lottery.api.strategy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Awards and odds as the operator describes them.
 *
 * @param fallback the award that is given in place of one that cannot be; none: the draw wins nothing then
 */
public record StrategyDefinition(
        Mode mode, List<AwardDefinition> awards, @Nullable Integer fallback) {

    /** What becomes of the odds of an award that is sold out. */
    public enum Mode {
        /** The others keep theirs, its share goes to the fallback. */
        SINGLE,
        /** The others share them in proportion to their own. */
        OVERALL
    }

    public StrategyDefinition {
        awards = List.copyOf(awards);
    }
}
