package lottery.api.rebate;

import lottery.api.Event;
import lottery.api.EventName;
import org.jspecify.annotations.Nullable;

/** The events of a rebate rule. */
public sealed interface RebateRuleEvent extends Event {

    RebateRuleId ruleId();

    /**
     * Somebody wants a rule to say this. It does so when another person adopts it, and until then it pays as before.
     *
     * @param version the one that it gets if it is adopted
     * @param proposedBy null where nobody is asked who he is
     */
    @EventName("rule.proposed")
    record RebateRuleProposed(
            RebateRuleId ruleId,
            int version,
            RebateRuleDefinition definition,
            @Nullable String proposedBy) implements RebateRuleEvent {}

    /**
     * A rule was created or changed, and what was proposed before is over. Behaviours that were reported before keep
     * the rebates that they got.
     *
     * @param version counts definitions and proposals from 1
     */
    @EventName("rule.defined")
    record RebateRuleDefined(RebateRuleId ruleId, int version, RebateRuleDefinition definition)
            implements RebateRuleEvent {}
}
