package lottery.store.processing;

/**
 * Distinguishes an outage, which is temporary, from a failure that repeats whenever the event is handled. A processor
 * waits for the end of an outage without a time limit. After any other failure it parks the event. An application may
 * add its own classifiers.
 */
@FunctionalInterface
public interface OutageClassifier {

    /** Returns whether this failure, without its causes, is an outage. */
    boolean isOutage(Throwable failure);
}
