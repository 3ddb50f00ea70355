package lottery.activity;

import java.time.InstantSource;
import org.axonframework.eventsourcing.eventstore.EventStore;

/** The activities of a log, for tests of other packages. */
public final class CampaignsInLog {

    private CampaignsInLog() {}

    public static ActivityCache of(EventStore log, InstantSource clock) {
        return new ActivityCache(log, clock);
    }
}
