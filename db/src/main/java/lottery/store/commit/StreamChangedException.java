package lottery.store.commit;

/**
 * A unit was decided on state that is not the latest: another one has written an event in its place, or an event before
 * it is missing. Nothing of the unit is stored. It may be decided again, and then be stored.
 */
public final class StreamChangedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    StreamChangedException(String why) {
        super(why);
    }

    StreamChangedException(String why, Throwable cause) {
        super(why, cause);
    }
}
