package lottery.store.commit;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import lottery.store.log.StoreBusyException;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.modelling.command.AggregateStreamCreationException;
import org.axonframework.modelling.command.ConcurrencyException;

/**
 * A process that writes for as long as it lives, and reports each answer. An answer is {@code stored},
 * {@code conflict}, {@code taken} or {@code busy} with the event's id, or {@code failed} with what must not happen.
 */
final class WriterProcess {

    private static final int THREADS = 8;
    private static final int SHARED_AGGREGATES = 5;

    /** For how many events processes compete for one key, before they go on to the next. */
    private static final int EVENTS_PER_KEY = 20;

    private final TestLog log;
    private final Consumer<String> report;
    private final AtomicLong aggregates = new AtomicLong();

    private WriterProcess(TestLog log, Consumer<String> report) {
        this.log = log;
        this.report = report;
    }

    public static void main(String[] arguments) throws IOException {
        long seed = Long.parseLong(arguments[2]);
        Consumer<String> report = ChildProcess.reporter();
        try (HikariDataSource pool = Pools.patientPool(arguments[0], arguments[1], 10);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            WriterProcess writer = new WriterProcess(TestLog.on(pool, pool, CommitterLimits.DEFAULT), report);
            report.accept("ready");
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(seed + i);
                threads.execute(() -> writer.writeForEver(random));
            }
            ChildProcess.awaitParent();
            Runtime.getRuntime().halt(0);
        }
    }

    private void writeForEver(Random random) {
        while (true) {
            switch (random.nextInt(4)) {
                case 0 -> {
                    boolean _ = publish(event("shared " + random.nextInt(SHARED_AGGREGATES)));
                }
                case 1 -> claim("key " + log.tail.last() / EVENTS_PER_KEY);
                default -> own(1 + random.nextInt(4));
            }
        }
    }

    /** Returns the next event of an aggregate, as stored now; another process may be faster all the same. */
    private GenericDomainEventMessage<Noted> event(String aggregate) {
        long next = log.events
                .lastSequenceNumberFor(aggregate)
                .map(last -> last + 1)
                .orElse(0L);
        return TestLog.event(aggregate, next);
    }

    private void own(int events) {
        String aggregate = "own %d of %d"
                .formatted(aggregates.incrementAndGet(), ProcessHandle.current().pid());
        String unique = aggregate + " " + TestLog.newId();
        boolean stored = true;
        for (int i = 0; i < events && stored; i++) {
            stored = publish(TestLog.event(unique, i));
        }
    }

    private void claim(String key) {
        GenericDomainEventMessage<Noted> event = TestLog.event("claim of " + key + " " + TestLog.newId(), 0);
        boolean _ = attempt(event, () -> {
            UnitOfWork<?> unit = DefaultUnitOfWork.startAndGet(new GenericEventMessage<>("a command"));
            log.claims.take(new UniqueKeyClaim("race", key, event.getIdentifier()));
            log.events.publish(event);
            unit.commit();
        });
    }

    private boolean publish(GenericDomainEventMessage<Noted> event) {
        EventStore events = log.events;
        return attempt(event, () -> events.publish(event));
    }

    /** Returns whether the event was stored. */
    private boolean attempt(GenericDomainEventMessage<Noted> event, Runnable writing) {
        String id = event.getIdentifier();
        try {
            writing.run();
            report.accept("stored " + id);
            return true;
        } catch (ConcurrencyException | AggregateStreamCreationException e) {
            report.accept("conflict " + id);
        } catch (UniqueKeyTakenException e) {
            report.accept("taken " + id);
        } catch (StoreBusyException e) {
            report.accept("busy " + id);
        } catch (RuntimeException e) {
            report.accept("failed " + e);
        }
        return false;
    }
}
