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
     * Creates a rule, or replaces its definition. The same definition again changes nothing. A definition with the
     * state OPEN is only proposed, and comes into force when another person adopts it.
     */
    record DefineRebateRule(RebateRuleId ruleId, RebateRuleDefinition definition) implements RebateRuleCommand {}

    /**
     * Puts the proposed version of a rule in force. The sender must be another person than the one who has proposed it.
     *
     * @param version the version of the proposal that the sender has looked at
     */
    record AdoptRebateRule(RebateRuleId ruleId, int version) implements RebateRuleCommand {}
}
