package lottery.store.axon;

import static lottery.store.axon.LogMessageReader.EVENTS_PER_READ;

import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.axonframework.eventhandling.DomainEventData;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.TrackedEventData;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventsourcing.eventstore.AbstractEventStorageEngine;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.serialization.SerializationException;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.UnknownSerializedType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Axon's view of the log in PostgreSQL: makes messages of the rows that are read, and passes new events to the
 * {@link UnitOfWorkAppender}.
 */
final class LogStorageEngine extends AbstractEventStorageEngine {

    private static final Logger LOG = LoggerFactory.getLogger(LogStorageEngine.class);

    private final UnitOfWorkAppender appender;
    private final OpenLogs logs;

    LogStorageEngine(Serialization serialization, UnitOfWorkAppender appender, OpenLogs logs) {
        super(serialization);
        this.appender = appender;
        this.logs = logs;
    }

    /** The serializers, the upcasters and the filter of snapshots that the engine uses. */
    static final class Serialization extends Builder {}

    @Override
    protected void appendEvents(List<? extends EventMessage<?>> events, Serializer serializer) {
        appender.append(events, serializer);
    }

    @Override
    protected void storeSnapshot(DomainEventMessage<?> snapshot, Serializer serializer) {
        logs.of(snapshot.getAggregateIdentifier()).snapshots().store(snapshot, serializer);
    }

    /** Ignores a snapshot that cannot be read, because the events have the same state. */
    @Override
    public Optional<DomainEventMessage<?>> readSnapshot(String aggregateIdentifier) {
        return super.readSnapshot(aggregateIdentifier).filter(LogStorageEngine::isReadable);
    }

    private static boolean isReadable(DomainEventMessage<?> snapshot) {
        try {
            return snapshot.getPayload() != null; // It is deserialized here, once.
        } catch (SerializationException unreadable) {
            LOG.warn(
                    "The snapshot of {} cannot be read, so all its events are read. The next snapshot replaces it.",
                    snapshot.getAggregateIdentifier(),
                    unreadable);
            return false;
        }
    }

    /** Ignores a snapshot whose class is gone, for example because it was renamed. The events have the same state. */
    @Override
    protected Stream<? extends DomainEventData<?>> readSnapshotData(String aggregateIdentifier) {
        return logs.of(aggregateIdentifier).snapshots().of(aggregateIdentifier).filter(this::isOfKnownClass).stream();
    }

    private boolean isOfKnownClass(DomainEventData<byte[]> snapshot) {
        return getSnapshotSerializer().classForType(snapshot.getPayload().getType()) != UnknownSerializedType.class;
    }

    @Override
    protected Stream<? extends DomainEventData<?>> readEventData(String aggregateId, long firstSequence) {
        return pages(new PagedRows<DomainEventData<?>>(
                firstSequence,
                next -> logs.of(aggregateId).reader().ofAggregate(aggregateId, next, EVENTS_PER_READ).stream()
                        .map(event -> EventRowConverter.domainEvent(event.row()))
                        .toList(),
                event -> event.getSequenceNumber() + 1,
                false));
    }

    /** Reads on when it is asked again after its end, as Axon's store expects. */
    @Override
    protected Stream<? extends TrackedEventData<?>> readEventData(@Nullable TrackingToken token, boolean mayBlock) {
        return pages(new PagedRows<TrackedEventData<?>>(
                TokenPositionConverter.of(token),
                position -> logs.current().reader().after(position, Long.MAX_VALUE, EVENTS_PER_READ).stream()
                        .map(EventRowConverter::trackedEvent)
                        .toList(),
                event -> TokenPositionConverter.of(event.trackingToken()),
                true));
    }

    private static <T> Stream<T> pages(Iterator<T> rows) {
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(rows, Spliterator.ORDERED | Spliterator.NONNULL), false);
    }

    /** Reads no aggregate that has an event which only a newer version knows: a decision would ignore it. */
    @Override
    public DomainEventStream readEvents(String aggregateIdentifier, long firstSequenceNumber) {
        DomainEventStream events = super.readEvents(aggregateIdentifier, firstSequenceNumber);
        return DomainEventStream.of(
                events.asStream().peek(UnknownEventException::requireKnown), events::getLastSequenceNumber);
    }

    /** Rows that are read page by page on demand. */
    private static final class PagedRows<T> implements Iterator<T> {

        private final LongFunction<List<? extends T>> pages;
        private final ToLongFunction<T> keyAfter;
        private final boolean isEndless;
        private Iterator<? extends T> page;
        private boolean isLast;
        private long next;

        /**
         * @param pages returns the rows from a key on, one page at most
         * @param keyAfter returns the key from which to read after a row
         * @param isEndless whether there may be more rows after a page that is not full
         */
        PagedRows(long first, LongFunction<List<? extends T>> pages, ToLongFunction<T> keyAfter, boolean isEndless) {
            this.pages = pages;
            this.keyAfter = keyAfter;
            this.isEndless = isEndless;
            this.next = first;
            this.page = fetch();
        }

        private Iterator<? extends T> fetch() {
            List<? extends T> fetched = pages.apply(next);
            isLast = fetched.size() < EVENTS_PER_READ;
            return fetched.iterator();
        }

        @Override
        public boolean hasNext() {
            if (!page.hasNext() && (isEndless || !isLast)) {
                page = fetch();
            }
            return page.hasNext();
        }

        @Override
        public T next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            T row = page.next();
            next = keyAfter.applyAsLong(row);
            return row;
        }
    }

    @Override
    public Optional<Long> lastSequenceNumberFor(String aggregateIdentifier) {
        return logs.of(aggregateIdentifier).reader().lastSequenceOf(aggregateIdentifier);
    }

    @Override
    public TrackingToken createTailToken() {
        return logs.current().createTailToken();
    }

    @Override
    public TrackingToken createHeadToken() {
        return logs.current().createHeadToken();
    }

    @Override
    public TrackingToken createTokenAt(Instant dateTime) {
        return logs.current().createTokenAt(dateTime);
    }
}
