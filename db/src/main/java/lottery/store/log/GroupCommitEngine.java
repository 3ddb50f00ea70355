package lottery.store.log;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import lottery.store.log.LogDivergenceGuard.LogEntry;
import lottery.store.log.TailFollower.FollowedLog;
import org.axonframework.eventhandling.DomainEventData;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.EventUtils;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.TrackedEventData;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventsourcing.EventStreamUtils;
import org.axonframework.eventsourcing.eventstore.AbstractEventStorageEngine;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.UnknownSerializedType;
import org.jspecify.annotations.Nullable;

/**
 * Stores Axon's events in PostgreSQL, many units of work in one commit. The engine gathers the events of a unit of
 * work, and gives all of them to the committer when the unit ends. The unit's thread continues when the events are
 * stored.
 */
final class GroupCommitEngine extends AbstractEventStorageEngine implements FollowedLog {

    private static final String UNIT = CommitUnit.class.getName();
    private static final String FOUND_ABSENT = UNIT + ".foundAbsent";

    private static final int EVENTS_PER_READ = 1_000;

    private final Committer committer;
    private final LogReader reader;
    private final SnapshotTable snapshots;

    GroupCommitEngine(Serialization serialization, Committer committer, LogReader reader, SnapshotTable snapshots) {
        super(serialization);
        this.committer = committer;
        this.reader = reader;
        this.snapshots = snapshots;
    }

    /** The serializers, the upcasters and the filter of snapshots that the engine uses. */
    static final class Serialization extends Builder {}

    /**
     * Events of the log as messages.
     *
     * @param newest the last event that was read, even if an upcaster has dropped it
     */
    record EventBatch(List<TrackedEventMessage<?>> events, LogEntry newest) {

        long upTo() {
            return newest.position();
        }
    }

    @Override
    protected void appendEvents(List<? extends EventMessage<?>> events, Serializer serializer) {
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

    @Override
    protected void storeSnapshot(DomainEventMessage<?> snapshot, Serializer serializer) {
        snapshots.store(snapshot, serializer);
    }

    /** Ignores a snapshot whose class is gone, for example because it was renamed. The events have the same state. */
    @Override
    protected Stream<? extends DomainEventData<?>> readSnapshotData(String aggregateIdentifier) {
        return snapshots.of(aggregateIdentifier).filter(this::isOfKnownClass).stream();
    }

    private boolean isOfKnownClass(DomainEventData<byte[]> snapshot) {
        return getSnapshotSerializer().classForType(snapshot.getPayload().getType()) != UnknownSerializedType.class;
    }

    @Override
    protected Stream<? extends DomainEventData<?>> readEventData(String aggregateId, long firstSequence) {
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(
                        new PagedEvents(aggregateId, firstSequence), Spliterator.ORDERED | Spliterator.NONNULL),
                false);
    }

    /** An aggregate's events, which are read page by page on demand. */
    private final class PagedEvents implements Iterator<DomainEventData<?>> {

        private final String aggregateId;
        private Iterator<? extends DomainEventData<?>> page;
        private int left;
        private long next;

        PagedEvents(String aggregateId, long firstSequence) {
            this.aggregateId = aggregateId;
            this.next = firstSequence;
            this.page = fetch();
        }

        private Iterator<? extends DomainEventData<?>> fetch() {
            List<? extends DomainEventData<?>> fetched = reader.ofAggregate(aggregateId, next, EVENTS_PER_READ);
            left = fetched.size() == EVENTS_PER_READ ? EVENTS_PER_READ : -1;
            return fetched.iterator();
        }

        @Override
        public boolean hasNext() {
            if (!page.hasNext() && left == 0) {
                page = fetch();
            }
            return page.hasNext();
        }

        @Override
        public DomainEventData<?> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            DomainEventData<?> event = page.next();
            next = event.getSequenceNumber() + 1;
            left--;
            return event;
        }
    }

    @Override
    protected Stream<? extends TrackedEventData<?>> readEventData(@Nullable TrackingToken token, boolean mayBlock) {
        return reader.after(TokenPositionConverter.of(token), Long.MAX_VALUE, EVENTS_PER_READ).stream();
    }

    /** Reads the events after {@code position} up to {@code upTo}, one page at most; empty if there are no events. */
    Optional<EventBatch> after(long position, long upTo) {
        List<? extends TrackedEventData<?>> rows = reader.after(position, upTo, EVENTS_PER_READ);
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        TrackedEventData<?> newest = rows.getLast();
        return Optional.of(new EventBatch(
                EventUtils.upcastAndDeserializeTrackedEvents(rows.stream(), getEventSerializer(), upcasterChain)
                        .toList(),
                new LogEntry(
                        TokenPositionConverter.of(newest.trackingToken()),
                        UUID.fromString(newest.getEventIdentifier()))));
    }

    @Override
    public Optional<EventBatch> after(long position) {
        return after(position, Long.MAX_VALUE);
    }

    @Override
    public Optional<LogEntry> newest() {
        return reader.newest();
    }

    @Override
    public Optional<Long> headWithout(LogEntry known) {
        return reader.headWithout(known);
    }

    List<TrackedEventMessage<?>> between(long position, long upTo, Collection<String> unwanted) {
        return EventUtils.upcastAndDeserializeTrackedEvents(
                        reader.between(position, upTo, unwanted).stream(), getEventSerializer(), upcasterChain)
                .toList();
    }

    List<DomainEventMessage<?>> newestOfAggregate(String aggregateId, long below, int max) {
        return messages(reader.newestOfAggregate(aggregateId, below, max));
    }

    List<DomainEventMessage<?>> ofAggregates(Collection<String> aggregateIds) {
        return messages(reader.ofAggregates(aggregateIds));
    }

    private List<DomainEventMessage<?>> messages(List<? extends DomainEventData<byte[]>> rows) {
        List<DomainEventMessage<?>> messages = new ArrayList<>();
        EventStreamUtils.upcastAndDeserializeDomainEvents(rows.stream(), getEventSerializer(), upcasterChain)
                .forEachRemaining(messages::add);
        return messages;
    }

    List<TrackedEventMessage<?>> newestOfEach(String prefix) {
        return EventUtils.upcastAndDeserializeTrackedEvents(
                        reader.newestOfEach(prefix).stream(), getEventSerializer(), upcasterChain)
                .toList();
    }

    long countOfEach(String prefix) {
        return reader.countOfEach(prefix);
    }

    @Override
    public long head() {
        return reader.head();
    }

    @Override
    public Optional<Long> lastSequenceNumberFor(String aggregateIdentifier) {
        return reader.lastSequenceOf(aggregateIdentifier);
    }

    @Override
    public TrackingToken createTailToken() {
        return new GlobalSequenceTrackingToken(reader.beginning());
    }

    @Override
    public TrackingToken createHeadToken() {
        return new GlobalSequenceTrackingToken(reader.head());
    }

    @Override
    public TrackingToken createTokenAt(Instant dateTime) {
        return new GlobalSequenceTrackingToken(reader.before(dateTime));
    }
}
