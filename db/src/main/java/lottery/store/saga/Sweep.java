package lottery.store.saga;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.axonframework.common.transaction.Transaction;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.config.Configuration;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.modelling.saga.AnnotatedSaga;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Lets the sagas act that are due. Any number of processes do so side by side: each takes what no other has, a few at a
 * time in one transaction, in which their new states are written as well. When one of them fails, all of these are
 * taken back and tried again each alone, and whichever fails alone is put off for longer and longer.
 */
final class Sweep implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(Sweep.class);

    /** Who waits for seconds or days does not notice one more, and a look at an index for nothing costs nothing. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /**
     * Enough that a commit is a small part of the work, and few enough that an event about one of them waits little.
     */
    private static final int SAGAS_PER_TRANSACTION = 50;

    /** A fault of the moment is over by then. */
    private static final Duration PUT_OFF_MIN = Duration.ofSeconds(5);

    /** A saga that needs a person goes on within this time after it has been helped. */
    private static final Duration PUT_OFF_MAX = Duration.ofMinutes(10);

    /** What is under way when the process stops is a transaction: it ends in this time, or is rolled back. */
    private static final Duration END_MAX = Duration.ofSeconds(10);

    private final SagaTable table;
    private final Kinds kinds;
    private final Documents documents;
    private final Supplier<Configuration> axon;
    private final TransactionManager transactions;
    private final InstantSource clock;

    private volatile @Nullable Running running;

    Sweep(
            SagaTable table,
            Kinds kinds,
            Documents documents,
            Supplier<Configuration> axon,
            TransactionManager transactions,
            InstantSource clock) {
        this.table = table;
        this.kinds = kinds;
        this.documents = documents;
        this.axon = axon;
        this.transactions = transactions;
        this.clock = clock;
    }

    private record Running(Thread thread, CountDownLatch stopping) {}

    @Override
    public void start() {
        Map<String, Kind<?>> due = due();
        if (due.isEmpty() || running != null) {
            return;
        }
        CountDownLatch stopping = new CountDownLatch(1);
        Thread thread = Thread.ofPlatform().name("saga-sweep").daemon().unstarted(() -> run(due, stopping));
        running = new Running(thread, stopping);
        thread.start();
    }

    @Override
    public void stop() {
        Running stopped = running;
        running = null;
        if (stopped == null) {
            return;
        }
        stopped.stopping().countDown();
        try {
            if (!stopped.thread().join(END_MAX)) {
                log.warn("Stopped while sagas that are due were acting; their transaction is rolled back");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }

    private Map<String, Kind<?>> due() {
        return kinds.due().collect(Collectors.toUnmodifiableMap(Kind::name, kind -> kind));
    }

    private void run(Map<String, Kind<?>> due, CountDownLatch stopping) {
        try {
            do {
                lookAsLongAsThereIsMuch(due, stopping);
            } while (!stopping.await(LOOK.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookAsLongAsThereIsMuch(Map<String, Kind<?>> due, CountDownLatch stopping) {
        try {
            int taken = SAGAS_PER_TRANSACTION;
            while (taken == SAGAS_PER_TRANSACTION && stopping.getCount() > 0) {
                taken = look(due, stopping);
            }
        } catch (RuntimeException | Error e) {
            // An error, too: it may be a single saga's, and nobody else begins this thread again.
            log.warn("Nobody has looked for sagas that are due, which is tried again", e);
        }
    }

    /** Looks once: lets some of those act that are due, and says how many. */
    int look() {
        return look(due(), new CountDownLatch(1));
    }

    private int look(Map<String, Kind<?>> due, CountDownLatch stopping) {
        Instant now = clock.instant();
        List<Row> taken = new ArrayList<>();
        try {
            inOneTransaction(now, due, () -> {
                taken.addAll(table.takeDue(due.keySet(), now, SAGAS_PER_TRANSACTION));
                return taken;
            });
        } catch (RuntimeException | Error e) {
            if (taken.isEmpty()) {
                throw e;
            }
            log.debug("{} sagas that are due are tried again, each alone", taken.size(), e);
            taken.stream().takeWhile(row -> stopping.getCount() > 0).forEach(row -> alone(row, now, due));
        }
        return taken.size();
    }

    private void alone(Row row, Instant now, Map<String, Kind<?>> due) {
        try {
            inOneTransaction(now, due, () -> table.takeAgain(row, now).stream().toList());
        } catch (RuntimeException | Error e) {
            Duration pause = pauseAfter(row.failures());
            log.warn("{} is due and failed, and is put off for {}", row.place(), pause, e);
            table.putOff(row, now.plus(pause), e);
        }
    }

    static Duration pauseAfter(int failures) {
        int doublings = Math.min(failures, 10);
        Duration pause = PUT_OFF_MIN.multipliedBy(1L << doublings);
        return pause.compareTo(PUT_OFF_MAX) < 0 ? pause : PUT_OFF_MAX;
    }

    private void inOneTransaction(Instant now, Map<String, Kind<?>> due, Supplier<List<Row>> take) {
        EventMessage<Instant> moment = new GenericEventMessage<>(now);
        UnitOfWork<EventMessage<Instant>> unit = DefaultUnitOfWork.startAndGet(moment);
        Transaction transaction = begin(unit);
        try {
            axon.get().correlationDataProviders().forEach(unit::registerCorrelationDataProvider);
            List<Change> changes = new ArrayList<>();
            for (Row row : take.get()) {
                Kind<?> kind = due.get(row.place().type());
                if (kind != null) {
                    changes.add(act(kind, row, moment));
                }
            }
            // Runs before the transaction commits, which was registered earlier.
            unit.onCommit(committing -> table.apply(changes));
            unit.commit();
        } catch (Error e) {
            // Axon rolls back after exceptions only; an open transaction would stay with this thread, and keep its
            // sagas.
            transaction.rollback();
            throw e;
        } finally {
            if (unit.isActive()) {
                unit.rollback();
            }
        }
    }

    private Transaction begin(UnitOfWork<?> unit) {
        try {
            Transaction transaction = transactions.startTransaction();
            unit.onCommit(committing -> transaction.commit());
            unit.onRollback(failing -> transaction.rollback());
            return transaction;
        } catch (RuntimeException e) {
            unit.rollback(e);
            throw e;
        }
    }

    private <T> Change act(Kind<T> kind, Row row, EventMessage<Instant> moment) {
        T state = documents.read(row.state(), kind.type());
        axon.get().resourceInjector().injectResources(state);
        AnnotatedSaga<T> saga = kind.saga(row, state);
        saga.handle(moment);
        return saga.isActive()
                ? new Write(
                        row.place(),
                        row.version(),
                        row.sagaId(),
                        documents.write(state),
                        later(Documents.dueAt(state), moment.getPayload()))
                : new End(row.place(), row.version());
    }

    /** Who is still due after it has acted is so at the next look, and not again and again during this one. */
    private static @Nullable Instant later(@Nullable Instant dueAt, Instant now) {
        Instant next = now.plus(LOOK);
        return dueAt == null || dueAt.isAfter(next) ? dueAt : next;
    }
}
