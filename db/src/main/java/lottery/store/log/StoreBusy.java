package lottery.store.log;

import org.axonframework.common.AxonTransientException;

/** The store accepts no more for now. Nothing of the command is stored, and it may be sent again. */
public final class StoreBusy extends AxonTransientException {

    private static final long serialVersionUID = 1;

    StoreBusy(String why) {
        super(why);
    }

    StoreBusy(String why, Throwable cause) {
        super(why, cause);
    }
}
