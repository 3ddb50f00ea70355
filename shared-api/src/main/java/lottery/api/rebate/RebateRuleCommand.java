package lottery.api.rebate;

import lottery.api.Command;

/** The commands to a rebate rule. */
public sealed interface RebateRuleCommand extends Command<RebateRuleVersion> {

    RebateRuleId ruleId();

    @Override
    default RebateRuleId target() {
        return ruleId();
    }

    /** Creates a rule, or replaces what it said. The same definition again changes nothing. */
    record DefineRebateRule(RebateRuleId ruleId, RebateRuleDefinition definition) implements RebateRuleCommand {}
}
