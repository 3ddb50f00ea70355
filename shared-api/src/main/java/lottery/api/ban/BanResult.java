package lottery.api.ban;

/**
 * The result of a command to a ban.
 *
 * @param isNew whether the command has changed anything; false if it was so before
 */
public record BanResult(boolean isNew) {}
