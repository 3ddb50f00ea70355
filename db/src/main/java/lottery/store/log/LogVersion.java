package lottery.store.log;

/**
 * The version in which this process writes the log, and the least version that may write beside it. The log keeps the
 * highest least version of all processes that have started. A process of a lower version does not start, and stores no
 * more events if it runs already.
 *
 * @param own the version of this process
 * @param leastBeside the least version whose decisions are still right after this process has written
 */
public record LogVersion(int own, int leastBeside) {

    private static final String RAISE = """
            UPDATE event_head SET least_version = greatest(least_version, ?) WHERE least_version <= ?
            RETURNING least_version""";

    /** Thrown at the start of a process whose version is too low. */
    public static final class LogVersionTooLowException extends RuntimeException {

        LogVersionTooLowException(int own, int least) {
            super(
                    "A newer version of the lottery has used this database, and version %d is the least that may. This is %d."
                            .formatted(least, own));
        }
    }

    /** Raises the least version of the log. */
    public void start(Log log) {
        if (log.sql()
                .sql(RAISE)
                .params(leastBeside, own)
                .query(Integer.class)
                .optional()
                .isEmpty()) {
            throw new LogVersionTooLowException(
                    own,
                    log.sql()
                            .sql("SELECT least_version FROM event_head")
                            .query(Integer.class)
                            .single());
        }
    }
}
