package lottery.store.move;

/** A log cannot be moved, or not further for now. The message is a sentence for the operator. */
public final class LogMoveRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LogMoveRefusedException(String message) {
        super(message);
    }
}
