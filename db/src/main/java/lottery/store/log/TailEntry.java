package lottery.store.log;

/**
 * An event in the tail of the log.
 *
 * @param message what readers in this process get. The framework that is used on the log has made it, and this package
 *     only keeps it
 */
public record TailEntry(long position, Object message) {}
