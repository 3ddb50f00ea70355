package lottery.store.axon;

import javax.sql.DataSource;
import lottery.store.commit.CommitUnit;
import lottery.store.commit.Committer;
import lottery.store.log.EventRow;
import lottery.store.log.LogDivergenceGuard;
import lottery.store.log.LogTail;
import lottery.store.log.Logs;
import lottery.store.log.ShardRule;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.monitoring.NoOpMessageMonitor;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.upcasting.event.EventUpcaster;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Axon's event store on a log, with its threads, for tests of other packages. */
public final class TestAdapter implements AutoCloseable {

    public final EventStore events;
    public final UniqueKeyClaims claims;
    public final NamedNumberSeries numbers;

    private final UnitOfWorkAppender appender;
    private final Logs logs;
    private final OpenLog log;

    public TestAdapter(
            DataSource database,
            Committer committer,
            LogTail tail,
            LogDivergenceGuard divergenceGuard,
            Serializer serializer,
            EventUpcaster upcaster) {
        JdbcClient sql = JdbcClient.create(database);
        logs = Logs.of(database, ShardRule.NONE);
        log = new OpenLog(logs.home(), tail, divergenceGuard, committer, serializer, upcaster);
        OpenLogs open = new OpenLogs(logs, _ -> log);
        appender = new UnitOfWorkAppender(open);
        LogStorageEngine.Serialization serialization = new LogStorageEngine.Serialization();
        serialization.snapshotSerializer(serializer).eventSerializer(serializer).upcasterChain(upcaster);
        events = new LogTailEventStore(
                new LogStorageEngine(serialization, appender, open), open, appender, NoOpMessageMonitor.instance());
        claims = new UniqueKeyClaims(appender, sql);
        numbers = new NamedNumberSeries(appender, logs);
    }

    /** Returns counters, as one process knows them. They have a thread of their own. */
    public LimitedCounters counters() {
        LimitedCounters counters = new LimitedCounters(appender, logs);
        counters.start();
        return counters;
    }

    /** Adds an event to a unit, as a unit of work does. */
    public static void add(EventMessage<?> event, CommitUnit unit, Serializer serializer) {
        EventRow row = EventRowConverter.row(event, serializer);
        unit.add(row, position -> EventRowConverter.written(event, row, position));
    }

    public static long position(@Nullable TrackingToken token) {
        return TokenPositionConverter.of(token);
    }

    public void start() {
        log.start();
    }

    @Override
    public void close() {
        log.close();
    }
}
