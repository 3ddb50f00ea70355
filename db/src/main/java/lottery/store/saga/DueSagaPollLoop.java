package lottery.store.saga;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import lottery.store.processing.FailureClassifier;
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

/**
 * Lets the due sagas of one type act. Any number of processes do so side by side. Each takes sagas that no other has, a
 * few at a time in one transaction, which also writes their new states.
 *
 * <p>When one of them fails, all of them are rolled back and tried again, each alone. A saga that fails alone is
 * postponed for longer and longer. An outage of something that they need counts as nobody's failure: fewer and fewer
 * sagas try, down to one, until it is over.
 */
final class DueSagaPollLoop<T> implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(DueSagaPollLoop.class);

    /**
     * The pause between looks. A saga that waits for seconds or days does not notice one more, and an empty look is
     * cheap.
     */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /**
     * The most sagas of one transaction. The commit is a small part of its work, and an event for one of them waits
     * only briefly.
     */
    private static final int SAGAS_PER_TRANSACTION = 50;

    /** The first pause after a failure; a momentary fault is over by then. */
    private static final Duration PUT_OFF_MIN = Duration.ofSeconds(5);

    /** The longest pause after failures. A saga that a person has repaired goes on within this time. */
    private static final Duration PUT_OFF_MAX = Duration.ofMinutes(10);

    private final SagaType<T> kind;
    private final SagaTable table;
    private final SagaDocumentCodec documents;
    private final FailureClassifier outages;
    private final Supplier<Configuration> axon;
    private final TransactionManager transactions;
    private final InstantSource clock;
    private final CountDownLatch stopping = new CountDownLatch(1);

    /** How many sagas act together: halved by an outage, doubled when they have acted. */
    private int together = SAGAS_PER_TRANSACTION;

    private boolean isAway;

    DueSagaPollLoop(
            SagaType<T> kind,
            SagaTable table,
            SagaDocumentCodec documents,
            FailureClassifier outages,
            Supplier<Configuration> axon,
            TransactionManager transactions,
            InstantSource clock) {
        this.kind = kind;
        this.table = table;
        this.documents = documents;
        this.outages = outages;
        this.axon = axon;
        this.transactions = transactions;
        this.clock = clock;
    }

    /** Asks it to end; the transaction under way is finished. */
    void stop() {
        stopping.countDown();
    }

    @Override
    public void run() {
        try {
            do {
                lookAsLongAsThereIsMuch();
            } while (!stopping.await(LOOK.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookAsLongAsThereIsMuch() {
        try {
            int asked = together;
            while (look() == asked && !isAway && stopping.getCount() > 0) {
                asked = together;
            }
        } catch (RuntimeException | Error e) {
            // Errors, too: a single saga may have caused one, and nothing restarts this thread.
            log.warn("Nobody has looked for due sagas of kind {}, which is tried again", kind.name(), e);
        }
    }

    /** Looks once: lets some due sagas act, and returns how many there were. */
    int look() {
        Instant now = clock.instant();
        List<SagaRow> taken = new ArrayList<>();
        try {
            inOneTransaction(now, () -> {
                taken.addAll(table.takeDue(kind.name(), now, together));
                return taken;
            });
            if (!taken.isEmpty()) {
                acted();
            }
        } catch (RuntimeException | Error e) {
            if (taken.isEmpty()) {
                throw e;
            }
            if (taken.size() == 1 && outages.isOutage(e)) {
                stepBack(taken.getFirst(), e);
            } else {
                log.debug("{} sagas that are due are tried again, each alone", taken.size(), e);
                eachAlone(taken, now);
            }
        }
        return taken.size();
    }

    private void acted() {
        if (isAway) {
            isAway = false;
            log.info("Due sagas of kind {} act again", kind.name());
        }
        together = Math.min(2 * together, SAGAS_PER_TRANSACTION);
    }

    /**
     * Postpones a saga because of an outage. Its pauses do not grow, but other sagas go first, and fewer try at once.
     * If the saga itself is the cause after all, the others still act.
     */
    private void stepBack(SagaRow row, Throwable failure) {
        if (!isAway) {
            isAway = true;
            log.warn("Due sagas of kind {} cannot act, which is tried again: {}", kind.name(), textOf(failure));
        }
        together = Math.max(1, together / 2);
        table.postpone(row, clock.instant().plus(PUT_OFF_MIN), failure);
    }

    private static String textOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? failure.toString() : failure + ", because of " + cause;
    }

    private void eachAlone(List<SagaRow> taken, Instant now) {
        for (SagaRow row : taken) {
            if (stopping.getCount() == 0 || !alone(row, now)) {
                return;
            }
        }
    }

    /** Tries one saga; returns whether it is of use to try the next one. */
    private boolean alone(SagaRow row, Instant now) {
        try {
            inOneTransaction(now, () -> table.takeAgain(row, now).stream().toList());
        } catch (RuntimeException | Error e) {
            if (outages.isOutage(e)) {
                stepBack(row, e);
                return false;
            }
            Duration pause = pauseAfter(row.failures());
            log.warn("{} is due and failed, and is put off for {}", row.place(), pause, e);
            table.putOff(row, clock.instant().plus(pause), e);
        }
        return true;
    }

    static Duration pauseAfter(int failures) {
        int doublings = Math.min(failures, 10);
        Duration pause = PUT_OFF_MIN.multipliedBy(1L << doublings);
        return pause.compareTo(PUT_OFF_MAX) < 0 ? pause : PUT_OFF_MAX;
    }

    private void inOneTransaction(Instant now, Supplier<List<SagaRow>> take) {
        EventMessage<Instant> moment = new GenericEventMessage<>(now);
        UnitOfWork<EventMessage<Instant>> unit = DefaultUnitOfWork.startAndGet(moment);
        Transaction transaction = begin(unit);
        try {
            axon.get().correlationDataProviders().forEach(unit::registerCorrelationDataProvider);
            List<SagaRowChange> changes = new ArrayList<>();
            for (SagaRow row : take.get()) {
                changes.add(act(row, moment));
            }
            // Runs before the transaction commits, because that was registered earlier.
            unit.onCommit(committing -> table.apply(changes));
            unit.commit();
        } catch (Error e) {
            // Axon rolls back after exceptions only. An open transaction would stay with this thread and keep its sagas
            // locked.
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

    private SagaRowChange act(SagaRow row, EventMessage<Instant> moment) {
        T state = documents.read(row.state(), kind.type());
        axon.get().resourceInjector().injectResources(state);
        AnnotatedSaga<T> saga = kind.saga(row, state);
        saga.handle(moment);
        return saga.isActive()
                ? new SagaRowToUpsert(
                        row.place(),
                        row.version(),
                        row.sagaId(),
                        documents.write(state),
                        later(SagaDocumentCodec.dueAt(state), moment.getPayload()),
                        SagaDocumentCodec.isStuck(state))
                : new SagaRowToDelete(row.place(), row.version());
    }

    /**
     * Makes a saga that is still due after it has acted wait until the next look, and not act again and again in this
     * one.
     */
    private static @Nullable Instant later(@Nullable Instant dueAt, Instant now) {
        Instant next = now.plus(LOOK);
        return dueAt == null || dueAt.isAfter(next) ? dueAt : next;
    }
}
