package lottery.api.rebate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule as the operator defines it: this behaviour gives these rebates.
 *
 * @param behaviour its name, such as {@code share}
 * @param limit how often the rule pays one user; null if it pays each time
 * @param streak if it is 7, for example, the rule pays only sign-ins with a streak of 7, 14, 21 and so on days; null if
 *     streaks do not matter
 */
public record RebateRuleDefinition(
        String behaviour,
        List<Rebate> rebates,
        @Nullable RebateLimit limit,
        @Nullable Integer streak,
        RebateRuleState state) {

    /** The pattern of the name of a behaviour. */
    public static final String BEHAVIOUR = "[a-z][a-z0-9_-]{0,31}";

    /** The behaviour of a sign-in. */
    public static final String SIGN = "sign";

    public static final int REBATES_MAX = 10;
    public static final int STREAK_MAX = 366;

    /** Whether a rule pays behaviours that are reported from now on. */
    public enum RebateRuleState {
        OPEN,
        CLOSED
    }

    public RebateRuleDefinition {
        rebates = List.copyOf(rebates);
    }

    /**
     * Returns whether the rule pays a behaviour.
     *
     * @param reachedStreak the streak of a sign-in; null for other behaviours
     */
    public boolean pays(String reported, @Nullable Integer reachedStreak) {
        return state == RebateRuleState.OPEN
                && behaviour.equals(reported)
                && (streak == null || (reachedStreak != null && reachedStreak % streak == 0));
    }
}
