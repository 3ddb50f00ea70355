package lottery.api.rebate;

import lottery.api.Command;

/** The commands to a rebate rule. */
public sealed interface RebateRuleCommand extends Command<DefinedRebateRuleVersion> {

    RebateRuleId ruleId();

    @Override
    default RebateRuleId target() {
        return ruleId();
    }

    /**
     * Creates a rule, or replaces what it said. The same definition again changes nothing. A rule that would pay is
     * proposed, and another person adopts it.
     */
    record DefineRebateRule(RebateRuleId ruleId, RebateRuleDefinition definition) implements RebateRuleCommand {}

    /**
     * Lets a rule say what was proposed. It is for another person than the one who has proposed it.
     *
     * @param version of the proposal that was looked at
     */
    record AdoptRebateRule(RebateRuleId ruleId, int version) implements RebateRuleCommand {}
}
