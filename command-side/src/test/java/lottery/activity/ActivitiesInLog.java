package lottery.activity;

import java.time.InstantSource;
import org.axonframework.eventsourcing.eventstore.EventStore;

/** The activities of a log, for tests of other packages. */
public final class ActivitiesInLog {

    private ActivitiesInLog() {}

    public static ActivityCache of(EventStore log, InstantSource clock) {
        return new ActivityCache(log, clock);
    }
}
