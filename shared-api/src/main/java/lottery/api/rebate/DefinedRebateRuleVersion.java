package lottery.api.rebate;

/**
 * The result of defining a rule.
 *
 * @param isNew whether the command has changed anything; false if nothing had to change
 */
public record DefinedRebateRuleVersion(int version, boolean isNew) {}
