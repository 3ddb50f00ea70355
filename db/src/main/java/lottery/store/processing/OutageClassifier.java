package lottery.store.processing;

/**
 * Tells a failure that passes, because something is away, from one that comes again whenever the event is handled. The
 * first is waited for, however long it takes; with the second the event is parked. An application may add its own.
 */
@FunctionalInterface
public interface OutageClassifier {

    /** Whether what failed here, without its causes, is that something is away. */
    boolean isOutage(Throwable failure);
}
