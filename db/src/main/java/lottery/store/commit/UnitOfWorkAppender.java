package lottery.store.commit;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import lottery.store.log.CallerWrittenPosition;
import lottery.store.log.EventAppender;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.serialization.Serializer;

/**
 * Gathers the writes of a unit of work, and gives all of them to the committer when the unit ends. The unit's thread
 * continues when they are stored.
 */
final class UnitOfWorkAppender implements EventAppender {

    private static final String UNIT = CommitUnit.class.getName();
    private static final String FOUND_ABSENT = UNIT + ".foundAbsent";

    private final Committer committer;

    UnitOfWorkAppender(Committer committer) {
        this.committer = committer;
    }

    @Override
    public void append(List<? extends EventMessage<?>> events, Serializer serializer) {
        if (events.isEmpty()) {
            return;
        }
        if (CurrentUnitOfWork.isStarted()) {
            write(unit(), events, serializer);
        } else {
            CommitUnit alone = new CommitUnit();
            write(alone, events, serializer);
            CallerWrittenPosition.wrote(committer.commit(alone));
        }
    }

    private static void write(CommitUnit unit, List<? extends EventMessage<?>> events, Serializer serializer) {
        for (EventMessage<?> event : events) {
            unit.add(EventRow.of(event, serializer));
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
                    CallerWrittenPosition.wrote(committer.commit(unit));
                }
            });
            return unit;
        });
    }

    @Override
    public void noteAbsence(String aggregateId) {
        CurrentUnitOfWork.ifStarted(unit -> foundAbsent(unit.root()).add(aggregateId));
    }

    private static Set<String> foundAbsent(UnitOfWork<?> outermost) {
        return outermost.getOrComputeResource(FOUND_ABSENT, ignored -> new HashSet<>());
    }
}
