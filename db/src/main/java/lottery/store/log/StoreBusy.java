package lottery.store.log;

import org.axonframework.common.AxonTransientException;

/** The store takes no more for now. What the command wanted to write is not stored, and it may be sent again. */
public final class StoreBusy extends AxonTransientException {

    private static final long serialVersionUID = 1;

    StoreBusy(String why) {
        super(why);
    }

    StoreBusy(String why, Throwable cause) {
        super(why, cause);
    }
}
