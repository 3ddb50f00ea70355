package lottery.api.rebate;

import lottery.api.Command;
import org.jspecify.annotations.Nullable;

/** The commands to a rebate rule. */
public sealed interface RebateRuleCommand extends Command<DefinedRebateRuleVersion> {

    RebateRuleId ruleId();

    @Override
    default RebateRuleId target() {
        return ruleId();
    }

    /**
     * Creates a rule, or replaces its definition. The same definition again changes nothing. A definition with the
     * state OPEN pays, so two persons have to agree on it first.
     *
     * @param version the version on which two persons have agreed; null for a rule that one person closes
     */
    record DefineRebateRule(
            RebateRuleId ruleId,
            RebateRuleDefinition definition,
            @Nullable Integer version) implements RebateRuleCommand {}
}
