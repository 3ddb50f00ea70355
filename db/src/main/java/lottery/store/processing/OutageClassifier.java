package lottery.store.processing;

/**
 * Tells an outage, which passes, from a failure that comes again whenever the event is handled. A processor waits for
 * the end of an outage, however long it takes; with any other failure it parks the event. An application may add its
 * own classifiers.
 */
@FunctionalInterface
public interface OutageClassifier {

    /** Returns whether this failure, without its causes, is an outage. */
    boolean isOutage(Throwable failure);
}
