package lottery.store.commit;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import lottery.store.axon.TestAdapter;
import lottery.store.axon.UniqueKeyClaims;
import lottery.store.log.LogVersion;
import lottery.store.log.TestTail;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.serialization.upcasting.event.EventUpcaster;
import org.axonframework.serialization.upcasting.event.NoOpEventUpcaster;

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

    private static final LogVersion VERSION = new LogVersion(1, 1);

    /** Counts how often the process would have ended. */
    final AtomicInteger ends = new AtomicInteger();

    final TestTail tail = new TestTail(ends::incrementAndGet);
    final Committer committer;
    final TestAdapter adapter;
    final EventStore events;
    final UniqueKeyClaims claims;

    private TestLog(DataSource writing, DataSource reading, CommitterLimits limits, EventUpcaster upcaster) {
        committer = new Committer(
                () -> LogWriter.open(writing, VERSION, false),
                CommitterTimeSource.SYSTEM,
                tail.tail(),
                tail.divergenceGuard(),
                limits);
        adapter = new TestAdapter(reading, committer, tail.tail(), tail.divergenceGuard(), Noted.SERIALIZER, upcaster);
        events = adapter.events;
        claims = adapter.claims;
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
        adapter.start();
        return this;
    }

    static GenericDomainEventMessage<Noted> event(String aggregate, long sequence) {
        return new GenericDomainEventMessage<>("note", aggregate, sequence, new Noted(aggregate));
    }

    /** Returns the writes of a unit of work with one event. */
    static CommitUnit unit(String aggregate, long sequence) {
        CommitUnit unit = new CommitUnit();
        add(event(aggregate, sequence), unit);
        return unit;
    }

    static void add(EventMessage<?> event, CommitUnit unit) {
        TestAdapter.add(event, unit, Noted.SERIALIZER);
    }

    static CommitUnit unit(String aggregate) {
        return unit(aggregate, 0);
    }

    static String newId() {
        return UUID.randomUUID().toString();
    }

    @Override
    public void close() {
        adapter.close();
    }
}
