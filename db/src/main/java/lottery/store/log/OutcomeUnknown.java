package lottery.store.log;

import org.axonframework.common.AxonTransientException;

/**
 * The connection broke during a commit and the database has not come back in time to be asked: the events may be stored
 * or not. Whoever sends the command again under the same ids learns which.
 */
public final class OutcomeUnknown extends AxonTransientException {

    private static final long serialVersionUID = 1;

    OutcomeUnknown(Throwable cause) {
        super("the connection broke during a commit, and the database did not come back in time to be asked", cause);
    }
}
