package lottery.store.axon;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import lottery.store.log.LogDivergenceGuard.LogEntry;
import lottery.store.log.LogReader;
import lottery.store.log.LogReader.CountAtHead;
import lottery.store.log.LogRow;
import lottery.store.log.TailEntry;
import lottery.store.log.TailFollower.EventBatch;
import lottery.store.log.TailFollower.FollowedLog;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventUtils;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventsourcing.EventStreamUtils;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.upcasting.event.EventUpcaster;

/** Reads events of the log as Axon's messages. */
final class LogMessageReader implements FollowedLog {

    static final int EVENTS_PER_READ = 1_000;

    private final LogReader reader;
    private final Serializer serializer;
    private final EventUpcaster upcasters;

    LogMessageReader(LogReader reader, Serializer serializer, EventUpcaster upcasters) {
        this.reader = reader;
        this.serializer = serializer;
        this.upcasters = upcasters;
    }

    /** Reads the events after {@code position} up to {@code upTo}, one page at most; empty if there are no events. */
    Optional<EventBatch> after(long position, long upTo) {
        List<LogRow> rows = reader.after(position, upTo, EVENTS_PER_READ);
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        LogRow newest = rows.getLast();
        List<TailEntry> events = trackedMessages(rows).stream()
                .map(message -> new TailEntry(TokenPositionConverter.of(message.trackingToken()), message))
                .toList();
        return Optional.of(new EventBatch(
                events, new LogEntry(newest.position(), newest.row().id())));
    }

    @Override
    public Optional<EventBatch> after(long position) {
        return after(position, Long.MAX_VALUE);
    }

    @Override
    public long head() {
        return reader.head();
    }

    @Override
    public Optional<LogEntry> newest() {
        return reader.newest();
    }

    @Override
    public void awaitStandby() {
        reader.awaitStandby();
    }

    @Override
    public Optional<Long> headWithout(LogEntry known) {
        return reader.headWithout(known);
    }

    List<TrackedEventMessage<?>> between(long position, long upTo, Collection<String> unwanted) {
        return trackedMessages(reader.between(position, upTo, unwanted));
    }

    List<DomainEventMessage<?>> newestOfAggregate(String aggregateId, long below, int max) {
        return messages(reader.newestOfAggregate(aggregateId, below, max));
    }

    List<DomainEventMessage<?>> ofAggregates(Collection<String> aggregateIds) {
        return messages(reader.ofAggregates(aggregateIds));
    }

    List<TrackedEventMessage<?>> newestOfEach(String prefix) {
        return known(trackedMessages(reader.newestOfEach(prefix)));
    }

    List<TrackedEventMessage<?>> newestOfEach(String prefix, long position, long upTo) {
        return known(trackedMessages(reader.newestOfEach(prefix, position, upTo)));
    }

    CountAtHead countOfEach(String prefix) {
        return reader.countOfEach(prefix);
    }

    private static List<TrackedEventMessage<?>> known(List<TrackedEventMessage<?>> events) {
        events.forEach(UnknownEventException::requireKnown);
        return events;
    }

    private List<DomainEventMessage<?>> messages(List<LogRow> rows) {
        List<DomainEventMessage<?>> messages = new ArrayList<>();
        EventStreamUtils.upcastAndDeserializeDomainEvents(
                        rows.stream().map(event -> EventRowConverter.domainEvent(event.row())), serializer, upcasters)
                .forEachRemaining(messages::add);
        return messages;
    }

    private List<TrackedEventMessage<?>> trackedMessages(List<LogRow> rows) {
        Stream<TrackedEventMessage<?>> messages = EventUtils.upcastAndDeserializeTrackedEvents(
                rows.stream().map(EventRowConverter::trackedEvent), serializer, upcasters);
        return messages.toList();
    }
}
