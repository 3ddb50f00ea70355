package lottery.api.rebate;

import lottery.api.EventName;
import lottery.api.EventOfDecision;

/** The events of a rebate rule. */
public sealed interface RebateRuleEvent extends EventOfDecision {

    RebateRuleId ruleId();

    /**
     * A rule was created or changed. Behaviours that were reported before this event keep their rebates.
     *
     * @param version the number of the definition, from 1 on
     */
    @EventName("rule.defined")
    record RebateRuleDefined(RebateRuleId ruleId, int version, RebateRuleDefinition definition)
            implements RebateRuleEvent {}
}
