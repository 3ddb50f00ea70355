package lottery.strategy;

import java.time.InstantSource;
import org.axonframework.eventsourcing.eventstore.EventStore;

/** The strategies of a log, for tests of other packages. */
public final class StrategiesInLog {

    private StrategiesInLog() {}

    public static StrategyCache of(EventStore log) {
        return new StrategyCache(log, InstantSource.system());
    }
}
