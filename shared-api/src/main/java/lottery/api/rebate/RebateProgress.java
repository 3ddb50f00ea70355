package lottery.api.rebate;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a rebate.
 *
 * @param reason why it was refused: the code of a refusal, or one of the reasons in this class
 * @param isDropped whether a person has given it up
 */
public record RebateProgress(
        RebateRuleId ruleId,
        int index,
        Rebate rebate,
        RebateState state,
        @Nullable String reason,
        boolean isDropped) {

    /** The user has reached the limit of the rule. */
    public static final String RULE_LIMIT = "RULE_LIMIT";

    /** The SKU has a price in credits, so the rebate would cost the user something. */
    public static final String SKU_PRICED = "SKU_PRICED";

    /**
     * The reasons for refusals that are intended: the user has reached a limit of the rule, or of the SKU. No person
     * has to decide about such a refusal.
     */
    private static final Set<String> INTENDED = Set.of(RULE_LIMIT, "SKU_LIMIT");

    static RebateProgress of(OrderedRebate ordered) {
        RebateState state = ordered.reason() == null ? RebateState.ORDERED : RebateState.REFUSED;
        return new RebateProgress(ordered.ruleId(), ordered.index(), ordered.rebate(), state, ordered.reason(), false);
    }

    /** Returns whether this is the rebate at a place of a rule. */
    public boolean isOf(RebateRuleId rule, int place) {
        return ruleId.equals(rule) && index == place;
    }

    /** Returns whether a person has to decide about this rebate. */
    public boolean needsPerson() {
        return state == RebateState.REFUSED && !isDropped && reason != null && !INTENDED.contains(reason);
    }

    RebateProgress given() {
        return new RebateProgress(ruleId, index, rebate, RebateState.DONE, null, false);
    }

    RebateProgress refused(String why) {
        return new RebateProgress(ruleId, index, rebate, RebateState.REFUSED, why, isDropped);
    }

    RebateProgress dropped() {
        return new RebateProgress(ruleId, index, rebate, state, reason, true);
    }
}
