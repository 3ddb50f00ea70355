package lottery.api.choice;

/**
 * The version that a tree then has.
 *
 * @param isNew whether it came about just now; not so where the same definition was handed in again
 */
public record TreeVersion(int version, boolean isNew) {}
