package lottery.api.ban;

/**
 * The result of a command to a ban.
 *
 * @param isNew whether the command has changed anything; false if nothing had to change
 */
public record BanResult(boolean isNew) {}
