package lottery.api.rebate;

/**
 * The result of defining or adopting a rule.
 *
 * @param isNew whether the command has changed anything; false if nothing had to change
 * @param isProposed whether the version is only proposed, and waits for the decision of another person
 */
public record DefinedRebateRuleVersion(int version, boolean isNew, boolean isProposed) {}
