package lottery.api.rebate;

import org.jspecify.annotations.Nullable;

/**
 * A rebate as the rule defined it when the behaviour was reported.
 *
 * @param version the version of the rule
 * @param index the place of the rebate in the rule, from 0
 * @param reason why it was refused at once; null if it was ordered
 */
public record OrderedRebate(
        RebateRuleId ruleId,
        int version,
        int index,
        Rebate rebate,
        @Nullable String reason) {}
