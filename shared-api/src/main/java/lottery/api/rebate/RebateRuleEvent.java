package lottery.api.rebate;

import lottery.api.Event;
import lottery.api.EventName;
import org.jspecify.annotations.Nullable;

/** The events of a rebate rule. */
public sealed interface RebateRuleEvent extends Event {

    RebateRuleId ruleId();

    /**
     * Somebody has proposed this definition of a rule. It comes into force when another person adopts it. Until then
     * the rule gives its rebates as before.
     *
     * @param version the version that the rule gets if the proposal is adopted
     * @param proposedBy who has proposed it; null if callers are not authenticated
     */
    @EventName("rule.proposed")
    record RebateRuleProposed(
            RebateRuleId ruleId,
            int version,
            RebateRuleDefinition definition,
            @Nullable String proposedBy) implements RebateRuleEvent {}

    /**
     * A rule was created or changed. This also ends a proposal that waits. Behaviours that were reported before this
     * event keep their rebates.
     *
     * @param version the number of the definition; definitions and proposals are counted from 1
     */
    @EventName("rule.defined")
    record RebateRuleDefined(RebateRuleId ruleId, int version, RebateRuleDefinition definition)
            implements RebateRuleEvent {}
}
