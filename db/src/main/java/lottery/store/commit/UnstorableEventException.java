package lottery.store.commit;

/**
 * PostgreSQL cannot store an event of a unit, or may not. Nothing of the unit is stored, and a retry would fail, too.
 */
public final class UnstorableEventException extends RuntimeException {

    private static final long serialVersionUID = 1;

    UnstorableEventException(String why) {
        super(why);
    }

    UnstorableEventException(String why, Throwable cause) {
        super(why, cause);
    }
}
