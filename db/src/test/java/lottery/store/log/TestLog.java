package lottery.store.log;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.monitoring.NoOpMessageMonitor;
import org.axonframework.serialization.upcasting.event.EventUpcaster;
import org.axonframework.serialization.upcasting.event.NoOpEventUpcaster;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A whole log, as one process of the application has it. */
final class TestLog implements AutoCloseable {

    /** Nobody is refused because this machine is slow. */
    private static final CommitterLimits PATIENT = new CommitterLimits(
            4_096,
            1_000,
            4 << 20,
            2_000,
            8 << 20,
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60));

    final LogTail tail = new LogTail();

    /** Counts how often the process would have ended. */
    final AtomicInteger ends = new AtomicInteger();

    final Committer committer;
    final GroupCommitEngine engine;
    final EventStore events;
    final UniqueKeyClaims claims;

    private final TailFollower follower;
    private final NotificationListener listener;

    private TestLog(DataSource writing, DataSource reading, CommitterLimits limits, EventUpcaster upcaster) {
        JdbcClient client = JdbcClient.create(reading);
        GroupCommitEngine.Serialization serialization = new GroupCommitEngine.Serialization();
        serialization
                .snapshotSerializer(Noted.SERIALIZER)
                .eventSerializer(Noted.SERIALIZER)
                .upcasterChain(upcaster);
        LogDivergenceGuard divergenceGuard = new LogDivergenceGuard(ends::incrementAndGet);
        committer = new Committer(writing, tail, divergenceGuard, limits);
        engine = new GroupCommitEngine(serialization, committer, new LogReader(client), new SnapshotTable(client));
        events = new LogTailEventStore(engine, tail, NoOpMessageMonitor.instance());
        claims = new UniqueKeyClaims(engine, client);
        follower = new TailFollower(tail, divergenceGuard, engine);
        listener = new NotificationListener(reading, tail);
    }

    static TestLog on(TestDatabase database) {
        return on(database.pool(), database.pool(), PATIENT);
    }

    static TestLog on(DataSource writing, DataSource reading, CommitterLimits limits) {
        return new TestLog(writing, reading, limits, NoOpEventUpcaster.INSTANCE).start();
    }

    static TestLog on(TestDatabase database, EventUpcaster upcaster) {
        return new TestLog(database.pool(), database.pool(), PATIENT, upcaster).start();
    }

    private TestLog start() {
        committer.start();
        follower.start();
        listener.start();
        return this;
    }

    static GenericDomainEventMessage<Noted> event(String aggregate, long sequence) {
        return new GenericDomainEventMessage<>("note", aggregate, sequence, new Noted(aggregate));
    }

    /** Returns the writes of a unit of work with one event. */
    static CommitUnit unit(String aggregate, long sequence) {
        CommitUnit unit = new CommitUnit();
        unit.add(EventRow.of(event(aggregate, sequence), Noted.SERIALIZER));
        return unit;
    }

    static CommitUnit unit(String aggregate) {
        return unit(aggregate, 0);
    }

    static String newId() {
        return UUID.randomUUID().toString();
    }

    @Override
    public void close() {
        listener.close();
        follower.close();
        committer.close();
    }
}
