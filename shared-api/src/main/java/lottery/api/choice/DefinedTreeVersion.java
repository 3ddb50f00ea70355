package lottery.api.choice;

/**
 * The version that a tree has after a command.
 *
 * @param isNew whether the command created it; false if the same definition was sent again
 */
public record DefinedTreeVersion(int version, boolean isNew) {}
