package lottery.api.rebate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule as the operator defines it: this behaviour gives these rebates.
 *
 * @param behaviour the name of the behaviour, such as {@code share}
 * @param limit how often the rule gives its rebates to one user; null if there is no limit
 * @param streak 7, for example, if the rule gives rebates only for sign-ins with a streak of 7, 14, 21 and so on days;
 *     null if the rule does not depend on streaks
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

    /** Whether a rule gives rebates for behaviours that are reported from now on. */
    public enum RebateRuleState {
        OPEN,
        CLOSED
    }

    public RebateRuleDefinition {
        rebates = List.copyOf(rebates);
    }

    /**
     * Returns whether the rule gives rebates for a behaviour.
     *
     * @param reachedStreak the streak of a sign-in; null for other behaviours
     */
    public boolean pays(String reported, @Nullable Integer reachedStreak) {
        return state == RebateRuleState.OPEN
                && behaviour.equals(reported)
                && (streak == null || (reachedStreak != null && reachedStreak % streak == 0));
    }
}
