package lottery.api.rebate;

/**
 * The result of defining or adopting a rule.
 *
 * @param isNew whether the command has changed anything; false if it was so before
 * @param isProposed whether the version waits for another person
 */
public record DefinedRebateRuleVersion(int version, boolean isNew, boolean isProposed) {}
