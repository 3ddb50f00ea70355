package lottery.store.log;

/**
 * The outcome of a commit is unknown, usually because the connection broke and the database did not come back in time.
 * The events may be stored or not. To find out, send the command again under the same ids.
 */
public final class OutcomeUnknownException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public OutcomeUnknownException(Throwable cause) {
        super(
                "the connection broke during a commit, and PostgreSQL could not be asked in time whether the events are stored",
                cause);
    }
}
