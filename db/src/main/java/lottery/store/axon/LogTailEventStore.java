package lottery.store.axon;

import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventsourcing.eventstore.AbstractEventStore;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.monitoring.MessageMonitor;
import org.jspecify.annotations.Nullable;

/** Axon's event store, whose streams read the current log. */
final class LogTailEventStore extends AbstractEventStore {

    private final OpenLogs logs;
    private final UnitOfWorkAppender appender;

    LogTailEventStore(
            LogStorageEngine engine,
            OpenLogs logs,
            UnitOfWorkAppender appender,
            MessageMonitor<? super EventMessage<?>> monitor) {
        super(new LogTailBuilder(engine, monitor));
        this.logs = logs;
        this.appender = appender;
    }

    private static final class LogTailBuilder extends Builder {

        LogTailBuilder(LogStorageEngine engine, MessageMonitor<? super EventMessage<?>> monitor) {
            storageEngine(engine);
            messageMonitor(monitor);
        }
    }

    /** Also notes that the aggregate has no events, if the current unit of work decides on that. */
    @Override
    public DomainEventStream readEvents(String aggregateIdentifier) {
        DomainEventStream found = super.readEvents(aggregateIdentifier);
        if (!found.hasNext()) {
            appender.noteAbsence(aggregateIdentifier);
        }
        return found;
    }

    /** Reads no snapshot. If it reads from the first event on, it notes an absence, too. */
    @Override
    public DomainEventStream readEvents(String aggregateIdentifier, long firstSequenceNumber) {
        DomainEventStream found = super.readEvents(aggregateIdentifier, firstSequenceNumber);
        if (firstSequenceNumber == 0 && !found.hasNext()) {
            appender.noteAbsence(aggregateIdentifier);
        }
        return found;
    }

    @Override
    public BlockingStream<TrackedEventMessage<?>> openStream(@Nullable TrackingToken trackingToken) {
        return logs.current().openStream(trackingToken);
    }
}
