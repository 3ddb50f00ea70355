package lottery.api.rebate;

import lottery.api.Event;
import lottery.api.EventName;

/** The events of a rebate rule. */
public sealed interface RebateRuleEvent extends Event {

    RebateRuleId ruleId();

    /**
     * A rule was created or changed. Behaviours that were reported before keep the rebates that they got.
     *
     * @param version counts the definitions from 1
     */
    @EventName("rule.defined")
    record RebateRuleDefined(RebateRuleId ruleId, int version, RebateRuleDefinition definition)
            implements RebateRuleEvent {}
}
