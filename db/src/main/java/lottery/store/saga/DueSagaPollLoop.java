package lottery.store.saga;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import lottery.store.clock.ClockAgreement;
import lottery.store.log.Log;
import lottery.store.loop.BackgroundLoop;
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
 * Lets the due sagas of one type in one log act. Any number of processes do this at the same time. In each transaction
 * a process locks a few sagas that neither another process nor a batch of events has locked, and writes their new
 * states.
 *
 * <p>If one saga fails, all sagas of its transaction are rolled back and tried again, each alone. A saga that fails
 * alone is postponed, longer after each failure. An outage does not count as a failure of a saga. During an outage
 * fewer and fewer sagas are tried at once, down to one.
 */
final class DueSagaPollLoop<T> {

    private static final Logger log = LoggerFactory.getLogger(DueSagaPollLoop.class);

    /**
     * The pause between two looks for due sagas. It need not be shorter, because one more second does not matter to a
     * saga that waits for seconds or days. It need not be longer, because a look that finds none is cheap.
     */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /**
     * The most sagas of one transaction. With so many, the commit is a small part of the work. A batch that has an
     * event for a locked saga waits for the transaction. This may take some seconds if the sagas send messages to a
     * slow Kafka.
     */
    private static final int SAGAS_PER_TRANSACTION = 50;

    /** The first pause after a failure; a momentary fault is over by then. */
    private static final Duration PUT_OFF_MIN = Duration.ofSeconds(5);

    /** The longest pause after failures. When the cause of the failures is repaired, the saga acts within this time. */
    private static final Duration PUT_OFF_MAX = Duration.ofMinutes(10);

    private final SagaType<T> kind;
    private final SagaTable table;
    private final SagaDocumentCodec documents;
    private final FailureClassifier failureClassifier;
    private final Supplier<Configuration> axon;
    private final TransactionManager transactions;
    private final InstantSource clock;
    private final ClockAgreement agreement;
    private final BackgroundLoop loop;

    /** How many sagas act in one transaction. An outage halves the number, and each success doubles it. */
    private int together = SAGAS_PER_TRANSACTION;

    private boolean isAway;

    private boolean isInDoubt;

    DueSagaPollLoop(
            SagaType<T> kind,
            Log place,
            SagaTable table,
            SagaDocumentCodec documents,
            FailureClassifier failureClassifier,
            Supplier<Configuration> axon,
            TransactionManager transactions,
            InstantSource clock,
            ClockAgreement agreement) {
        this.kind = kind;
        this.table = table;
        this.documents = documents;
        this.failureClassifier = failureClassifier;
        this.axon = axon;
        this.transactions = transactions;
        this.clock = clock;
        this.agreement = agreement;
        this.loop = new BackgroundLoop(
                "due-sagas-" + kind.name() + (place.isHome() ? "" : "-" + place.name()),
                LOOK,
                place.bind(this::pollWhilePagesAreFull),
                "Due sagas of kind " + kind.name() + " could not be read: {}. They wait.");
    }

    BackgroundLoop loop() {
        return loop;
    }

    private void pollWhilePagesAreFull() {
        int asked = together;
        while (look() == asked && !isAway && !loop.isStopping()) {
            asked = together;
        }
    }

    /** Looks once for due sagas, lets some of them act, and returns how many it found. */
    int look() {
        Instant now = clock.instant();
        if (isInDoubt(now)) {
            return 0;
        }
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
            if (taken.isEmpty() || loop.isStopping()) {
                throw e; // A stop may have interrupted the sagas, which stay due.
            }
            if (taken.size() == 1 && failureClassifier.isOutage(e)) {
                stepBack(taken.getFirst(), e);
            } else {
                log.debug("{} due sagas failed together. Each is tried again alone.", taken.size(), e);
                eachAlone(taken, now);
            }
        }
        return taken.size();
    }

    /** Returns whether the clocks contradict each other. A saga must do nothing final because of a wrong time. */
    private boolean isInDoubt(Instant now) {
        boolean wasInDoubt = isInDoubt;
        isInDoubt = !agreement.isAgreed();
        if (isInDoubt && !wasInDoubt) {
            log.warn(
                    "Due sagas of kind {} wait: it is {} by PostgreSQL, but the clocks do not agree.",
                    kind.name(),
                    now);
        } else if (wasInDoubt && !isInDoubt) {
            log.info("Due sagas of kind {} act again: the clocks agree.", kind.name());
        }
        return isInDoubt;
    }

    private void acted() {
        if (isAway) {
            isAway = false;
            log.info("Due sagas of kind {} act again: the outage is over.", kind.name());
        }
        together = Math.min(2 * together, SAGAS_PER_TRANSACTION);
    }

    /**
     * Postpones a saga because of an outage. The saga's pauses do not grow with each failure. Other sagas are tried
     * first, and fewer at once. Therefore the other sagas still act if this saga, and not an outage, is the cause.
     */
    private void stepBack(SagaRow row, Throwable failure) {
        if (!isAway) {
            isAway = true;
            log.warn(
                    "Due sagas of kind {} cannot act because of an outage: {}. They are tried again until it is over.",
                    kind.name(),
                    textOf(failure));
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
            if (loop.isStopping() || !alone(row, now)) {
                return;
            }
        }
    }

    /** Tries one saga; returns false if an outage makes it useless to try the next one. */
    private boolean alone(SagaRow row, Instant now) {
        try {
            inOneTransaction(now, () -> table.takeAgain(row, now).stream().toList());
        } catch (RuntimeException | Error e) {
            if (loop.isStopping()) {
                return false;
            }
            if (failureClassifier.isOutage(e)) {
                stepBack(row, e);
                return false;
            }
            Duration pause = pauseAfter(row.failures());
            if (table.putOff(row, clock.instant().plus(pause), e)) {
                log.warn(
                        "The saga of {} failed when it was due. It is tried again in {} s.",
                        row.sagaKey(),
                        pause.toSeconds(),
                        e);
            } else {
                log.warn(
                        "The saga of {} failed when it was due. It is not postponed, because another transaction has"
                                + " locked or changed it.",
                        row.sagaKey(),
                        e);
            }
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
            // This runs before the transaction commits: Axon runs the handlers that were registered last first, and the
            // commit was registered earlier.
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
                        row.sagaKey(),
                        row.version(),
                        row.sagaId(),
                        documents.write(state),
                        later(SagaDocumentCodec.dueAt(state), moment.getPayload()),
                        SagaDocumentCodec.isStuck(state))
                : new SagaRowToDelete(row.sagaKey(), row.version());
    }

    /**
     * If a saga is still due after it has acted, postpones it to the next look. Otherwise it would act again and again
     * in this look.
     */
    private static @Nullable Instant later(@Nullable Instant dueAt, Instant now) {
        Instant next = now.plus(LOOK);
        return dueAt == null || dueAt.isAfter(next) ? dueAt : next;
    }
}
