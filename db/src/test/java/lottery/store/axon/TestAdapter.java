package lottery.store.axon;

import javax.sql.DataSource;
import lottery.store.commit.CommitUnit;
import lottery.store.commit.Committer;
import lottery.store.log.LogDivergenceGuard;
import lottery.store.log.LogReader;
import lottery.store.log.LogTail;
import lottery.store.log.NotificationListener;
import lottery.store.log.TailFollower;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.monitoring.NoOpMessageMonitor;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.upcasting.event.EventUpcaster;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Axon's event store on a log, with the threads that follow the log, for tests of other packages. */
public final class TestAdapter implements AutoCloseable {

    public final EventStore events;
    public final UniqueKeyClaims claims;
    public final NamedNumberSeries numbers;

    private final UnitOfWorkAppender appender;
    private final JdbcClient sql;
    private final TailFollower follower;
    private final NotificationListener listener;

    public TestAdapter(
            DataSource database,
            Committer committer,
            LogTail tail,
            LogDivergenceGuard divergenceGuard,
            Serializer serializer,
            EventUpcaster upcaster) {
        sql = JdbcClient.create(database);
        appender = new UnitOfWorkAppender(committer);
        LogReader reader = new LogReader(sql, tail::last);
        LogMessageReader messages = new LogMessageReader(reader, serializer, upcaster);
        LogStorageEngine.Serialization serialization = new LogStorageEngine.Serialization();
        serialization.snapshotSerializer(serializer).eventSerializer(serializer).upcasterChain(upcaster);
        LogStorageEngine engine = new LogStorageEngine(serialization, appender, reader, new SnapshotTable(sql));
        events = new LogTailEventStore(engine, messages, appender, tail, NoOpMessageMonitor.instance());
        claims = new UniqueKeyClaims(appender, sql);
        numbers = new NamedNumberSeries(appender, sql);
        follower = new TailFollower(tail, divergenceGuard, messages);
        listener = new NotificationListener(database, tail);
    }

    /** Returns counters, as one process knows them. They have a thread of their own. */
    public LimitedCounters counters() {
        LimitedCounters counters = new LimitedCounters(appender, sql);
        counters.start();
        return counters;
    }

    /** Adds an event to a unit, as a unit of work does. */
    public static void add(EventMessage<?> event, CommitUnit unit, Serializer serializer) {
        UnitOfWorkAppender.add(event, unit, serializer);
    }

    public static long position(@Nullable TrackingToken token) {
        return TokenPositionConverter.of(token);
    }

    public void start() {
        follower.start();
        listener.start();
    }

    @Override
    public void close() {
        listener.close();
        follower.close();
    }
}
