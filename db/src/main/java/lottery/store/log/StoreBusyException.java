package lottery.store.log;

/** The store accepts no more commands for now. Nothing of the command is stored, and the command may be sent again. */
public final class StoreBusyException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public StoreBusyException(String why) {
        super(why);
    }

    public StoreBusyException(String why, Throwable cause) {
        super(why, cause);
    }
}
