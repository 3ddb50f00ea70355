package lottery.api.rebate;

/**
 * The result of defining a rule.
 *
 * @param isNew whether the rule has changed; false if it was so before
 */
public record RebateRuleVersion(int version, boolean isNew) {}
