package lottery.store.clock;

/**
 * Says whether PostgreSQL and this machine agree on the time. While they do not, one of them is wrong, and nothing
 * final may be done because a time has come.
 */
@FunctionalInterface
public interface ClockAgreement {

    boolean isAgreed();

    /**
     * Requires an agreement.
     *
     * @throws ClocksDisagreeException if there is none
     */
    default void require() {
        if (!isAgreed()) {
            throw new ClocksDisagreeException();
        }
    }

    /** Thrown if something has to wait until the clocks agree. It is an outage, so it is tried again until then. */
    final class ClocksDisagreeException extends RuntimeException {

        ClocksDisagreeException() {
            super("the clocks of PostgreSQL and of this machine do not agree");
        }
    }
}
