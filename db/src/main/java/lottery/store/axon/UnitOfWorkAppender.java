package lottery.store.axon;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import lottery.store.commit.CommitUnit;
import lottery.store.commit.SeriesClosedException;
import lottery.store.commit.StreamChangedException;
import lottery.store.commit.StreamExistsException;
import lottery.store.commit.UnstorableEventException;
import lottery.store.log.CallerWrittenPosition;
import lottery.store.log.EventRow;
import lottery.store.log.LogPosition;
import lottery.store.log.StoreBusyException;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventsourcing.eventstore.EventStoreException;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.modelling.command.ConcurrencyException;
import org.axonframework.serialization.Serializer;

/**
 * Gathers the writes of a unit of work, and gives all of them to the committer when the unit ends. The unit's thread
 * continues when they are stored.
 */
final class UnitOfWorkAppender {

    private static final String UNIT = CommitUnit.class.getName();
    private static final String FOUND_ABSENT = UNIT + ".foundAbsent";

    private final OpenLogs logs;

    UnitOfWorkAppender(OpenLogs logs) {
        this.logs = logs;
    }

    /**
     * Appends events with the commit of the current unit of work. Without a unit of work it returns after the commit.
     */
    void append(List<? extends EventMessage<?>> events, Serializer serializer) {
        if (events.isEmpty()) {
            return;
        }
        if (CurrentUnitOfWork.isStarted()) {
            write(unit(), events, serializer);
        } else {
            CommitUnit alone = new CommitUnit();
            write(alone, events, serializer);
            commit(alone);
        }
    }

    private void write(CommitUnit unit, List<? extends EventMessage<?>> events, Serializer serializer) {
        for (EventMessage<?> event : events) {
            EventRow row = EventRowConverter.row(event, serializer);
            unit.in(logs.of(row.aggregateId()).log());
            unit.add(row, position -> EventRowConverter.written(event, row, position));
        }
    }

    private void commit(CommitUnit unit) {
        if (unit.log().isAway()) {
            throw new StoreBusyException(unit.log() + " does not answer");
        }
        try {
            long newest = logs.of(unit.log()).committer().commit(unit);
            CallerWrittenPosition.wrote(new LogPosition(unit.log().number(), newest));
        } catch (StreamChangedException e) {
            throw new ConcurrencyException(e.getMessage(), e);
        } catch (StreamExistsException e) {
            throw new AggregateAlreadyExistsException(e.ids(), e);
        } catch (SeriesClosedException e) {
            throw new NumberSeriesClosedException(e);
        } catch (UnstorableEventException e) {
            throw new EventStoreException(e.getMessage(), e);
        }
    }

    /**
     * Returns the writes of the current unit of work. They are committed with the outermost unit of work, after all
     * {@code onPrepareCommit} handlers and before all {@code afterCommit} handlers. If the commit fails, the whole unit
     * of work is rolled back.
     */
    CommitUnit unit() {
        UnitOfWork<?> outermost = CurrentUnitOfWork.get().root();
        Set<String> foundAbsent = foundAbsent(outermost);
        return outermost.getOrComputeResource(UNIT, ignored -> {
            CommitUnit unit = new CommitUnit(foundAbsent);
            outermost.onCommit(ending -> {
                if (!unit.isEmpty()) {
                    commit(unit);
                }
            });
            return unit;
        });
    }

    /**
     * Notes that the current unit of work has found no events of an aggregate. If it creates the aggregate, and another
     * unit of work has created it meanwhile, the commit fails with a conflict. The unit has then decided on outdated
     * state, and is to be decided anew.
     */
    void noteAbsence(String aggregateId) {
        CurrentUnitOfWork.ifStarted(unit -> foundAbsent(unit.root()).add(aggregateId));
    }

    private static Set<String> foundAbsent(UnitOfWork<?> outermost) {
        return outermost.getOrComputeResource(FOUND_ABSENT, ignored -> new HashSet<>());
    }
}
