package lottery.store;

import org.axonframework.common.caching.Cache;
import org.axonframework.eventsourcing.EventCountSnapshotTriggerDefinition;
import org.axonframework.eventsourcing.SnapshotTriggerDefinition;
import org.axonframework.eventsourcing.Snapshotter;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** An application of the store alone, with parcels in it. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({Parcel.class, Arrivals.class, Conflicts.class})
public class TestStore {

    /**
     * The resource lock of the tests that share one database, one after the other. Tests with databases of their own
     * run beside them.
     */
    public static final String DATABASE = "database of the test store";

    @Bean
    EventTypes eventTypes() {
        return Parcel.TYPES;
    }

    @Bean
    Cache parcels(EventStore events) {
        return new AggregateCache(100, events);
    }

    @Bean
    SnapshotTriggerDefinition everyTenMoves(Snapshotter snapshotter) {
        return new EventCountSnapshotTriggerDefinition(snapshotter, 10);
    }
}
