package lottery.store.processing;

import java.util.List;

/**
 * Tells a failure that passes, because something is away, from one that comes again whenever the event is handled. The
 * first is waited for, however long it takes; with the second the event is parked. An application may add its own.
 */
@FunctionalInterface
public interface Outages {

    /** Whether what failed here, without its causes, is that something is away. */
    boolean isOutage(Throwable failure);

    /**
     * What is an outage wherever there is a database and a network, with all causes of a failure, and these as well.
     */
    static Outages known(List<Outages> more) {
        return new KnownOutages(more);
    }
}
